import { beforeAll, describe, expect, it } from 'vitest'
import { type Migration, migrations } from '../../../migrations/index.js'
import { query } from '../../../src/platform/db/database.js'
import { migrate } from '../../../src/platform/db/migrations/migrate.js'
import { useDatabase } from '../../support/database.js'
import { baseline, fillAfter, shortTables } from '../../support/postgres/rowsOfTables.js'
import { watched } from '../../support/postgres/watched.js'
import { perRun } from '../../support/run/extent.js'

useDatabase({ empty: true })

describe('a migration', () => {
  const faults: string[] = []
  const empty: string[] = []

  beforeAll(async () => {
    for (const [n, { name }] of migrations.entries()) {
      const first = name === baseline
      await migrate(migrations.slice(0, n + 1).map((each) => (first ? each : watched(each, faults))))
      await fillAfter(name, incidents)
      empty.push(...(await emptyTables()).map((table) => `${name}: ${table}`))
    }
  })

  it('finds rows in every table that may be long', () => {
    expect(empty).toEqual([])
  })

  it('goes through no long table while it holds a lock that readers or writers wait for', () => {
    expect(faults).toEqual([])
  })
})

describe('the look at a migration', () => {
  let n = 0
  /**
   * What is said of this SQL as one more migration; it is taken out of the
   * list again, and stays done.
   */
  async function saidOf(sql: string, more: Partial<Migration> = {}): Promise<string[]> {
    const faults: string[] = []
    const name = `20270101000000_planted${n++}`
    const planted: Migration = {
      name,
      up: async (knex) => {
        for (const each of sql.split(';')) await knex.raw(each)
      },
      down: async () => {},
      ...more,
    }
    expect(await migrate([watched(planted, faults)])).toEqual([name])
    return faults.map((fault) => fault.replace(`${name}: `, ''))
  }
  const alone = { transaction: false }

  const named: [string, string, RegExp][] = [
    ['an index', 'create index late on audit_entries (at)', /^goes through audit_entries .* ShareLock/],
    [
      'a column with a value of its own in each row',
      'alter table incidents add column token uuid default gen_random_uuid()',
      /^writes incidents anew under AccessExclusiveLock on incidents/,
    ],
    [
      'another type',
      'alter table photos alter column bytes type bigint',
      /^writes photos anew under AccessExclusiveLock/,
    ],
    [
      'no nulls from now on',
      'alter table outbox alter column recipient_id set not null',
      /^goes through outbox .* AccessExclusiveLock/,
    ],
    [
      'a rule for the rows',
      'alter table followers add constraint sane check (incident_id > 0)',
      /^goes through followers /,
    ],
    [
      'a reference',
      'alter table outbox add constraint outbox_of foreign key (incident_id) references incidents',
      /^goes through (?:incidents|outbox) .*ShareRowExclusiveLock on incidents/,
    ],
    [
      'values together with their column',
      'alter table users add column nick text; update users set nick = name',
      /^goes through users .* AccessExclusiveLock on users/,
    ],
    [
      'values of one table under a lock on another',
      'alter table properties add column reports integer; update properties set reports = (select count(*) from incidents)',
      /^goes through incidents .* AccessExclusiveLock on properties/,
    ],
  ]
  it.each(perRun({ quick: named.slice(0, 1), whole: named }))('names %s', async (_what, sql, fault) => {
    expect((await saidOf(sql))[0]).toMatch(fault)
  })

  it('names statements that stand alone, too', async () => {
    expect(await saidOf('create index later on audit_entries (at)', alone)).toEqual([
      expect.stringContaining('goes through audit_entries'),
    ])
  })

  const passed: [string, string, Partial<Migration>][] = [
    [
      'a column that is the same in every row',
      `alter table incidents add column mood text default 'calm'`,
      {},
    ],
    ['an index built beside writes', 'create index concurrently beside on audit_entries (at)', alone],
    [
      'a rule that is checked beside writes',
      `alter table followers add constraint saner check (incident_id > 0) not valid;
       alter table followers validate constraint saner`,
      alone,
    ],
    ['a new table', 'create table shelves (incident_id integer references incidents)', {}],
    ['new values', 'update users set locale = locale', {}],
    ['a rule of a short table', 'alter table properties add constraint named check (id > 0)', {}],
  ]
  it.each(perRun({ quick: passed.slice(0, 1), whole: passed }))('lets pass %s', async (_what, sql, more) => {
    expect(await saidOf(sql, more)).toEqual([])
  })
})

const incidents = 400

/** Long tables without a row, in which a migration would seem to have nothing to do. */
async function emptyTables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const long = rows.map(({ name }) => name).filter((name) => !(name in shortTables))
  const empty: string[] = []
  for (const name of long) if ((await query(`select from ${name} limit 1`)).length === 0) empty.push(name)
  return empty
}
