import type { Knex } from 'knex'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** What residents are told of a repair: what is being done, and by when. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table incidents
      add column if not exists expected_back_at timestamptz,
      add column if not exists status_reason text,
      drop constraint if exists incidents_status_reason_check,
      add constraint incidents_status_reason_check check (char_length(status_reason) between 1 and 200) not valid;
    comment on column incidents.expected_back_at is 'When the office expects it to work again; public, cleared when resolved.';
    comment on column incidents.status_reason is 'What is being done: a word of ours that pages say in their language, or the office''s own words; public, cleared when resolved.';
  `)
  await knex.raw('alter table incidents validate constraint incidents_status_reason_check')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table incidents drop column status_reason, drop column expected_back_at')
}
