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
  for (const place of ['id', 'merged_into_id'])
    await inBatches(
      knex,
      { table: 'incidents', key: 'id' },
      (some) => `
      update incident_updates p set is_anonymous = true from incidents i
      where ${some('i.id')} and i.is_anonymous and i.reporter_id = p.author_id and p.incident_id = i.${place}
        and not p.is_anonymous`,
    )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table incident_updates drop column is_anonymous')
}
