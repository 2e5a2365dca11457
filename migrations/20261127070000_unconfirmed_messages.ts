import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/** Each statement is a transaction of its own, and bears being run again. */
export const transaction = false

/**
 * Until when the other side's answer is waited for, of a message that was handed over.
 * Such a row has `sent_at`, so that processes of the release before leave it alone, as
 * they do with every sent one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox add column if not exists confirm_by timestamptz')
  await knex.raw(
    `comment on column outbox.confirm_by is 'Handed over, and the answer is waited for until then. Once passed: not confirmed, and not sent again. Null once confirmed.'`,
  )
  await concurrentIndex(knex, {
    name: 'outbox_unconfirmed',
    on: 'outbox (confirm_by) where confirm_by is not null',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists outbox_unconfirmed')
  await knex.raw('alter table outbox drop column if exists confirm_by')
}
