import type { Knex } from 'knex'
import { inBatches } from './inBatches.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Whether an entry hides its author is decided when it is written, and never changes (decision 2.9). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table incident_updates add column if not exists is_anonymous boolean not null default false;
    comment on column incident_updates.is_anonymous is
      'Written by the anonymous reporter of the incident, or of one that was merged into it by then.';
  `)
  await inBatches(
    knex,
    { table: 'incident_updates', key: 'id' },
    (some) => `
    update incident_updates p set is_anonymous = true
      where ${some('p.id')} and not p.is_anonymous and (exists (
        select 1 from incidents i where i.id = p.incident_id and i.is_anonymous and i.reporter_id = p.author_id
      ) or exists (
        select 1 from incidents i where i.merged_into_id = p.incident_id and i.is_anonymous and i.reporter_id = p.author_id
      ))`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table incident_updates drop column is_anonymous')
}
