import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/**
 * What a person has sent in a form within the hour, so that the same words from a page fetched
 * again are asked about before they are stored a second time. Each statement stands alone: the
 * index is built while others write.
 */
export const transaction = false

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table idempotency_keys add column if not exists form text`)
  await knex.raw(
    `comment on column idempotency_keys.form is 'A digest of what was typed into the form; null for programs, for a form sent all the same, and after an hour.'`,
  )
  await concurrentIndex(knex, {
    name: 'idempotency_keys_form',
    on: 'idempotency_keys (caller, form) where form is not null',
    unique: true,
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists idempotency_keys_form')
  await knex.raw('alter table idempotency_keys drop column if exists form')
}
