import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

export const transaction = false

/** What did something to an asset in a month, however much came before and after. */
export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'asset_impacts_span',
    on: 'asset_impacts using gist (tstzrange(started_at, ended_at))',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists asset_impacts_span')
}
