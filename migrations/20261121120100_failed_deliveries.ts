import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

export const transaction = false

/** For the office's list of failed webhook deliveries: few among many. */
export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'webhook_deliveries_failed',
    on: `webhook_deliveries (finished_at) where status !~ '^2' and status <> 'failed: inactive'`,
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_deliveries_failed')
}
