import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { poolState } from '../../../src/platform/db/pools.js'
import { version } from '../../../src/platform/process/version.js'
import { built, checkout } from '../../support/compiled.js'
import { useDatabase } from '../../support/database.js'
import { openBuilding } from '../../support/host/building.js'
import { askWeb } from '../../support/host/host.js'
import { type Load, startLoad } from '../../support/host/load.js'
import { withoutParts } from '../../support/host/programs.js'

const database = useDatabase()

describe.skipIf(withoutParts)('while people use the building', { timeout: 600_000 }, () => {
  let building: Awaited<ReturnType<typeof openBuilding>>
  beforeAll(async () => {
    building = await openBuilding(database())
  })
  afterAll(async () => {
    expect(await building.end()).toEqual([0, 0, 0, 0])
  })

  /** What everybody has while `act` is under way; `people` at a time use the building. */
  async function meanwhile(people: number, act: (load: Load) => Promise<void>): Promise<Load> {
    const { load, stop } = await startLoad(building, people)
    await act(load).finally(stop)
    expect(load.faults).toEqual([])
    // None on two idle cores; a machine with forty at work has some, restart or not.
    expect(load.busy).toBeLessThan(load.answered / 20)
    expect(load.reports.size).toBeGreaterThan(10)
    const titles = [...load.reports.keys()]
    expect(await stored(titles)).toEqual(acknowledged(load))
    return load
  }

  it('every process is restarted, one after another, and nobody notices', async () => {
    const { host } = building
    const codes: (number | null)[] = []
    await meanwhile(6, async (load) => {
      for (let round = 0; round < rounds; round++)
        for (const restart of [host.restartWeb, host.restartWorker])
          for (const i of both) {
            const before = load.answered
            codes.push(await restart(i))
            await expect.poll(() => load.answered - before).toBeGreaterThan(30)
          }
    })
    expect(codes).toEqual(Array(rounds * 4).fill(0))
    // Photos went through them: nothing of what they keep for a moment stays.
    expect(host.filesOfWebs()).toEqual([])
  })

  it('the next version migrates, and this one goes on', async () => {
    const { host } = building
    const ready = () => Promise.all(host.webs.map(async (web) => (await askWeb(web, '/readyz')).status))
    const { migrate, more } = await makeNextVersion(path.join(building.folder, 'next'))
    await meanwhile(4, async (load) => {
      expect((await host.job(migrate)).migrated).toHaveLength(more)
      expect(await ready()).toEqual([200, 200])
      const before = load.answered
      await expect.poll(() => load.answered - before).toBeGreaterThan(30)
      // A web of this version that starts now finds a database that is newer than it.
      expect(await host.restartWeb(0)).toBe(0)
    })
    expect(await ready()).toEqual([200, 200])
  })

  it('PostgreSQL has no more connections than PgBouncer may have, and they say whose they are', async () => {
    let most = 0
    const names = new Set<string>()
    await meanwhile(6, async (load) => {
      const before = load.answered
      while (load.answered - before < 200) {
        const lent = await connections()
        most = Math.max(most, lent.length)
        for (const name of lent) names.add(name)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    expect(most).toBeLessThanOrEqual(20)
    expect([...names].sort()).toEqual(expect.arrayContaining([`caretaker web ${version}`]))
    // One that nobody has been lent yet has no name.
    for (const name of names) expect(name).toMatch(/^$|^caretaker \w+ \d/)
  })
})

/**
 * What a release usually does to the tables that are busiest, with the tools the migrations have.
 */
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

/**
 * Makes a version of this program with four more migrations in `folder`; returns the path of its
 * job `migrate`, and their number.
 */
async function makeNextVersion(folder: string): Promise<{ migrate: string; more: number }> {
  mkdirSync(folder)
  cpSync(await built(), path.join(folder, 'dist'), { recursive: true })
  cpSync(path.join(checkout, 'package.json'), path.join(folder, 'package.json'))
  for (const name of ['node_modules', 'static', 'views'])
    symlinkSync(path.join(checkout, name), path.join(folder, name))
  appendFileSync(path.join(folder, 'dist/migrations/index.js'), later)
  return { migrate: path.join(folder, 'dist/jobs/migrate'), more: 4 }
}

const both = [0, 1] as const

/** TEST_RESTARTS=10 for a long run. */
const rounds = Number(process.env.TEST_RESTARTS ?? 2)

/**
 * What the database has under these titles: one row for each report, with its photos,
 * entries and audit entries.
 */
const stored = async (titles: string[]) => {
  const rows = await query<{
    title: string
    id: number
    photos: number
    comments: string[]
    audited: number
  }>(
    `select title, id,
       (select count(*)::integer from photos p where p.incident_id = i.id) as photos,
       (select coalesce(array_agg(body order by u.id), '{}') from incident_updates u
         where u.incident_id = i.id) as comments,
       (select count(*)::integer from audit_entries a
         where a.entity_id = i.id and a.action = 'incident.created') as audited
     from incidents i where title = any ($1)`,
    [titles],
  )
  return rows.sort(byTitle)
}

/**
 * The names of the connections PgBouncer has, as PostgreSQL sees them: all but those of this test.
 */
async function connections(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'`,
  )
  const names = rows.map(({ name }) => name).sort()
  const own = `caretaker job ${version}`
  return names.toSpliced(
    names.indexOf(own),
    Math.min(poolState().open, names.filter((name) => name === own).length),
  )
}

const byTitle = (a: { title: string }, b: { title: string }) => (a.title < b.title ? -1 : 1)

/** The same as it was acknowledged. */
const acknowledged = ({ reports }: Load) =>
  [...reports]
    .map(([title, { id, photos, comments }]) => ({ title, id, photos, comments, audited: 1 }))
    .sort(byTitle)
