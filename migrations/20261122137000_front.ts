import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

export const transaction = false

/** The months of assets, read however much came before and after; and whether a new building's first steps are left. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table properties add column if not exists start_dismissed_at timestamptz;
    comment on column properties.start_dismissed_at is 'Since when an admin wants no checklist of first steps.';
  `)
  await concurrentIndex(knex, {
    name: 'asset_impacts_span',
    on: 'asset_impacts using gist (tstzrange(started_at, ended_at))',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists asset_impacts_span')
  await knex.raw('alter table properties drop column if exists start_dismissed_at')
}
