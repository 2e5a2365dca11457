import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Where rows say which request caused them: the transaction that writes them knows (`change`). */
const tables = ['outbox', 'mail_events', 'webhook_events', 'webhook_deliveries']

/** Since when a message fails, the request behind each delivery, and one scheduled digest to a person. */
export async function up(knex: Knex): Promise<void> {
  for (const table of tables) {
    await addText(knex, table, 'request_id', 64)
    await knex.raw(
      `alter table ${table} alter column request_id set default nullif(current_setting('caretaker.request_id', true), '')`,
    )
  }
  await knex.raw('alter table outbox add column if not exists failing_since timestamptz')
  await addText(knex, 'outbox', 'once_key', 100)
  await knex.raw(`
    comment on column outbox.request_id is 'Of the request that caused the row; also in its log line and audit entry.';
    comment on column outbox.failing_since is 'The first of the attempts that failed and are to be made again.';
    comment on column outbox.once_key is 'What may be written once only, such as the digest of a week for a person.';
  `)
  await concurrentIndex(knex, {
    name: 'outbox_failing',
    on: `outbox (kind, failing_since)
      where failing_since is not null and sent_at is null and failed_at is null`,
  })
  await concurrentIndex(knex, {
    name: 'outbox_delivered',
    on: 'outbox (kind, sent_at) where sent_at is not null and last_error is null',
  })
  await concurrentIndex(knex, {
    name: 'outbox_once',
    on: 'outbox (once_key) where once_key is not null',
    unique: true,
  })
}

/** A text column of at most `most` characters; the rows are checked while others write. */
async function addText(knex: Knex, table: string, column: string, most: number): Promise<void> {
  const check = `${table}_${column}_check`
  await knex.raw(`
    alter table ${table}
      add column if not exists ${column} text,
      drop constraint if exists ${check},
      add constraint ${check} check (char_length(${column}) <= ${most}) not valid`)
  await knex.raw(`alter table ${table} validate constraint ${check}`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox drop column if exists failing_since, drop column if exists once_key')
  for (const table of tables) await knex.raw(`alter table ${table} drop column if exists request_id`)
}
