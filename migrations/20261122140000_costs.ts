import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

export const transaction = false

/** A year's costs, and its reports that are about no asset, read however much came before and after. */
export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'repair_costs_by_day',
    on: 'repair_costs (incurred_on) where voided_at is null',
  })
  await concurrentIndex(knex, {
    name: 'incidents_without_asset',
    on: 'incidents (created_at) where asset_id is null and merged_into_id is null',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists repair_costs_by_day, incidents_without_asset')
}
