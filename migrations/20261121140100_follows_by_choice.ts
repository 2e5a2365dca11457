import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'
import { inBatches } from './inBatches.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Tells followers who said "I have this too" from those who follow their own report. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table followers add column if not exists by_choice boolean not null default false;
    comment on column followers.by_choice is 'They said so themselves. Counting reports and these counts the people affected without asking who reported: the number says nothing of somebody who gave no name.';
  `)
  await inBatches(
    knex,
    { table: 'followers', key: 'incident_id' },
    (some) => `
    update followers f set by_choice = true
    where ${some('f.incident_id')} and not f.by_choice
      and not exists (select from incidents i where ${some('i.id')} and i.id = f.incident_id and i.reporter_id = f.user_id)
      and not exists (select from incidents i where ${some('i.merged_into_id')} and i.merged_into_id = f.incident_id
        and i.reporter_id = f.user_id)`,
  )
  await concurrentIndex(knex, { name: 'followers_by_choice', on: 'followers (incident_id) where by_choice' })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index followers_by_choice; alter table followers drop column by_choice')
}
