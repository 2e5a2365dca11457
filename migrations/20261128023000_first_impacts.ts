import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/** An index that is built while others write runs in no transaction. */
export const transaction = false

/** Finds the first impact of an asset, however many there are: it is recorded since then. */
export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, { name: 'asset_impacts_first', on: 'asset_impacts (asset_id, started_at)' })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists asset_impacts_first')
}
