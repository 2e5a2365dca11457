import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'
import { searchRows } from './searchIndex.js'
import { searchActs, searchTriggers } from './searchTriggers.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Incidents whose words one statement of the filling makes: a tenth of a second's work. */
const atOnce = 1000

/** Search over incidents, and the orders of their list (decision 7.30). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists incident_search (
      incident_id integer primary key references incidents on delete cascade,
      active_at timestamptz not null,
      words tsvector not null,
      office_words tsvector not null
    )`)
  for (const [what, comment] of comments)
    await knex.raw(`comment on ${what} is '${comment.replaceAll("'", "''")}'`)
  await knex.raw(searchRows)
  await knex.raw(searchActs)
  // Before the rows that are there, so that what is written meanwhile is right as well.
  for (const trigger of searchTriggers) await knex.raw(trigger)
  await fill(knex)
  for (const [name, on] of indexes) await concurrentIndex(knex, { name, on })
  await knex.raw('analyze incident_search')
}

/** Batch by batch; a row that a writer has made in the meantime stays. Goes on where an earlier run ended. */
async function fill(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { last: number | null }[] }>(
    'select max(id) as last from incidents i where not exists (select from incident_search s where s.incident_id = i.id)',
  )
  const last = rows[0]!.last ?? 0
  for (let from = 0; from < last; from += atOnce)
    await knex.raw(
      `insert into incident_search (incident_id, active_at, words, office_words)
       select i.id, made.active_at, made.words, made.office_words
       from incidents i cross join lateral search_row_of(i.id) made
       where i.id > ? and i.id <= ? and not exists (select from incident_search s where s.incident_id = i.id)
       on conflict do nothing`,
      [from, from + atOnce],
    )
}

const comments: [what: string, comment: string][] = [
  [
    'table incident_search',
    'What each incident is found by, its duplicates included; written by triggers alone.',
  ],
  ['column incident_search.active_at', 'The last entry of its timeline, or its report.'],
  ['column incident_search.words', 'Of texts that everybody reads, and #id.'],
  [
    'column incident_search.office_words',
    'Of what only staff read: notes, mails as they came; u:id and r:word of the reporter.',
  ],
]

/** A pending list of 256 kB: longer ones are searched slowly, and the write that empties one waits longer. */
const gin = (column: string) => `incident_search using gin (${column}) with (gin_pending_list_limit = 256)`

const indexes: [name: string, on: string][] = [
  ['incident_search_words', gin('words')],
  ['incident_search_office_words', gin('office_words')],
  ['incident_search_activity', 'incident_search (active_at desc, incident_id desc)'],
  ['incidents_by_time', 'incidents (created_at desc, id desc)'],
  [
    'incidents_by_rank',
    `incidents ((array_position('{low,medium,high,critical}'::text[], severity)) desc, id desc)`,
  ],
  ['incidents_by_due_day', 'incidents (due_on, id) where due_on is not null'],
  ['incidents_not_resolved', 'incidents (id desc) where resolved_at is null'],
  ['incidents_of_assignee', 'incidents (assignee_id, id desc) where assignee_id is not null'],
  ['incidents_of_contact', 'incidents (contact_id, id desc) where contact_id is not null'],
  ['users_by_name', 'users using gin (search_lexemes(name))'],
]

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index users_by_name;
    drop index incidents_of_contact;
    drop index incidents_of_assignee;
    drop index incidents_not_resolved;
    drop index incidents_by_due_day;
    drop index incidents_by_rank;
    drop index incidents_by_time;
    drop trigger incidents_search_added on incidents;
    drop trigger incidents_search_changed on incidents;
    drop trigger incidents_search_merged on incidents;
    drop trigger incident_updates_search_added on incident_updates;
    drop trigger incident_updates_search_changed on incident_updates;
    drop trigger internal_notes_search_added on internal_notes;
    drop trigger internal_notes_search_changed on internal_notes;
    drop trigger internal_notes_search_removed on internal_notes;
    drop function incident_search_added();
    drop function incident_search_changed();
    drop function incident_search_merged();
    drop function incident_search_said();
    drop function incident_search_noted();
    drop function incident_search_said_again();
    drop function incident_search_noted_again();
    drop function incident_search_unnoted();
    drop function refresh_incident_search(integer);
    drop table incident_search;
    drop function search_row_of(integer);
    drop function incident_texts(integer);
    drop function search_reporter(integer, text, text);
    drop function search_lexemes(text);
    drop function search_plain(text);
    drop function search_joined(tsvector, tsvector);
  `)
}
