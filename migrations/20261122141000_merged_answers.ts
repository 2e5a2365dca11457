import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

export const transaction = false

/** What a merge brings of the office's answer, to be undone; and the first month of the history, however much there is. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table merges
      add column if not exists answered boolean not null default false,
      add column if not exists was_assignee_id integer,
      add column if not exists was_contact_id integer,
      add column if not exists was_due_on date,
      add column if not exists was_expected_back_at timestamptz,
      add column if not exists was_status_reason text;
    comment on column merges.answered is 'Both were open: who does it and what was promised went on in the survivor.';
  `)
  await concurrentIndex(knex, { name: 'asset_impacts_started', on: 'asset_impacts (started_at)' })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists asset_impacts_started')
  await knex.raw(`
    alter table merges drop column if exists answered, drop column if exists was_assignee_id,
      drop column if exists was_contact_id, drop column if exists was_due_on,
      drop column if exists was_expected_back_at, drop column if exists was_status_reason`)
}
