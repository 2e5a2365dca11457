import type { Knex } from 'knex'

/** Who may make an account, and the links by which somebody without one makes it (decision 7.15). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table properties add column sign_up text not null default 'office'
      constraint properties_sign_up_check check (sign_up in ('office', 'anybody'));
    comment on column properties.sign_up is 'Who makes accounts: the office alone, or anybody whose address is confirmed.';
    alter table sign_in_links
      alter column user_id drop not null,
      add column address text,
      add constraint sign_in_links_check check (num_nonnulls(user_id, address) = 1);
    comment on column sign_in_links.address is 'Of somebody without an account, who makes one behind the link.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from sign_in_links where user_id is null;
    alter table sign_in_links drop column address, alter column user_id set not null;
    alter table properties drop column sign_up`)
}
