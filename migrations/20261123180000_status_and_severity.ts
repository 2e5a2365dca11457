import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

export const transaction = false

/** A list by status and severity at once: without it, all of a status or all of a severity were read for a page. */
export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'incidents_by_status_and_severity',
    on: 'incidents (status, severity, id desc)',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists incidents_by_status_and_severity')
}
