import type { Knex } from 'knex'

/** Whether this building may write to people and machines outside: a restored copy may not until it is told. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table properties
      add column sending_paused_at timestamptz,
      add column sending_paused_why text,
      add constraint properties_sending_paused_why_check check (sending_paused_why in ('restored', 'moved', 'by_hand')),
      add constraint properties_sending_paused_check check ((sending_paused_at is null) = (sending_paused_why is null));
    comment on column properties.sending_paused_at is 'Since when no mail, push or webhook leaves; null while they do.';
    comment on column properties.sending_paused_why is 'restored: a copy, nobody has said yet that it is the original''s successor; moved: its successor runs elsewhere.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table properties drop column sending_paused_why, drop column sending_paused_at')
}
