import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { built, checkout } from '../built.js'

/** What a release usually does to the tables that are busiest, with the tools the migrations have. */
const later = `
import { concurrentIndex } from './concurrentIndex.js'
const down = async () => {}
migrations.push(
  { name: '99990101000000_columns', down, up: async (knex) => {
    await knex.raw("alter table incidents add column later_words text, add column later_flag boolean not null default false")
    await knex.raw("alter table users add column later_words text")
  } },
  { name: '99990101000100_tables', down, up: async (knex) => {
    await knex.raw("create table later_things (id integer generated always as identity primary key, incident_id integer not null references incidents)")
  } },
  { name: '99990101000200_filled', down, up: async (knex) => {
    await knex.raw("update incidents set later_words = title where id % 10 = 0")
  } },
  { name: '99990101000300_index', transaction: false, down, up: (knex) =>
    concurrentIndex(knex, { name: 'incidents_later', on: 'incidents (later_flag, id)' }) },
)
`

/** Makes a version of this program with four more migrations in `folder`; returns the path of its job `migrate`, and their number. */
export async function makeNextVersion(folder: string): Promise<{ migrate: string; more: number }> {
  mkdirSync(folder)
  cpSync(await built(), path.join(folder, 'dist'), { recursive: true })
  cpSync(path.join(checkout, 'package.json'), path.join(folder, 'package.json'))
  for (const name of ['node_modules', 'static', 'views'])
    symlinkSync(path.join(checkout, name), path.join(folder, name))
  appendFileSync(path.join(folder, 'dist/migrations/index.js'), later)
  return { migrate: path.join(folder, 'dist/jobs/migrate'), more: 4 }
}
