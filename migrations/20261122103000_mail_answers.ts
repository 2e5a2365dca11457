import type { Knex } from 'knex'

/** Ignored mails are kept for staff beside the held ones (decision 4.5), of which some may be answered (7.4). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table held_mails drop constraint held_mails_reason_check;
    alter table held_mails add constraint held_mails_reason_check check
      (reason in ('domain', 'total', 'own_address', 'own_mail', 'bounce', 'automatic_reply'));
    alter table held_mails
      add column user_id integer references users on delete set null,
      add column may_answer boolean not null default false,
      add column locale text;
    comment on column held_mails.user_id is 'Whose name it is shown with once it is an incident.';
    comment on column held_mails.may_answer is 'A person wrote it, as far as its headers and address tell.';
    comment on column held_mails.locale is 'Its language, where a header says.';
    create index held_mails_by_user on held_mails (user_id) where user_id is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from held_mails where reason not in ('domain', 'total');
    alter table held_mails drop column user_id, drop column may_answer, drop column locale;
    alter table held_mails drop constraint held_mails_reason_check;
    alter table held_mails add constraint held_mails_reason_check check (reason in ('domain', 'total'));
  `)
}
