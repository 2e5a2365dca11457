import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { concurrentIndex } from '../../../migrations/concurrentIndex.js'
import { type Migration, migrations } from '../../../migrations/index.js'
import { query } from '../../../src/platform/db/database.js'
import {
  compareMigrations,
  migrate,
  migrateTo,
  pendingMigrations,
} from '../../../src/platform/db/migrations/migrate.js'
import { schemaDocument } from '../../../src/platform/db/migrations/schema.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { compiledFile, readCheckout } from '../../support/compiled.js'
import { asOwner, dropDatabase, inDatabase, makeBuilding, useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { column } from '../../support/rows.js'
import { inWholeRun, itInWholeRun } from '../../support/run/extent.js'

const url = useDatabase({ empty: true })

/** A migration of this SQL, after all that are there. */
const later = (name: string, sql: string, more: Partial<Migration> = {}): Migration => ({
  name: `20270101000000_${name}`,
  up: async (knex) => void (await knex.raw(sql)),
  down: async () => {},
  ...more,
})

beforeAll(() => query('create table rooms (id integer primary key, name text)'))

describe('a migration', () => {
  it('may take longer than a query of the application', async () => {
    await closeDatabase()
    openDatabase(url(), 4, { patience: -900 })
    await expect(query('select pg_sleep(0.5)')).rejects.toThrow('timeout')
    expect(await migrate([later('slow', 'select pg_sleep(0.5)')])).toHaveLength(1)
    await closeDatabase()
    openDatabase(url(), 4)
  })

  it('stays when a later one fails, which leaves nothing behind', async () => {
    const good = later('good', 'alter table rooms add column floor integer')
    const bad = later('worse', 'alter table rooms add column door integer; select 1/0')
    await expect(migrate([good, bad])).rejects.toMatchObject({ code: '22012' })
    expect(await columnsOf('rooms')).toEqual(['id', 'name', 'floor'])
    const mended = later('worse', 'alter table rooms add column door integer')
    expect(await migrate([good, mended])).toEqual([mended.name])
    expect(await columnsOf('rooms')).toContain('door')
  })

  itInWholeRun('gives up a lock it waits for, lets the others go on, and tries again', async () => {
    const [reader, other] = [await somebody(), await somebody()]
    await reader.query('begin; select * from rooms')
    const migrated = migrate([later('patient', 'alter table rooms add column lamp integer')])
    const waiting = async () =>
      (
        await query(
          `select count(*)::integer as n from pg_locks where relation = 'rooms'::regclass and not granted`,
        )
      )[0]!.n
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 20_000, interval: 10 })
    // Queues behind the migration, and is answered when that gives up, while the
    // first reader still reads.
    await other.query('select * from rooms')
    await reader.query('commit')
    expect(await migrated).toHaveLength(1)
    await Promise.all([reader.end(), other.end()])
  })
})

describe('an index built concurrently', () => {
  const indexed = later('indexed', '', {
    transaction: false,
    up: (knex) => concurrentIndex(knex, { name: 'rooms_name', on: 'rooms (name)', unique: true }),
  })
  const valid = async () =>
    (await query(`select indisvalid as valid from pg_index where indexrelid = to_regclass('rooms_name')`))[0]
      ?.valid

  it('is built anew where a build failed halfway', async () => {
    await query(`insert into rooms (id, name) values (1, 'hall'), (2, 'hall')`)
    await expect(migrate([indexed])).rejects.toMatchObject({ code: '23505' })
    expect(await valid()).toBe(false)
    await query('delete from rooms where id = 2')
    expect(await migrate([indexed])).toHaveLength(1)
    expect(await valid()).toBe(true)
    expect(await migrate([indexed])).toEqual([])
  })

  itInWholeRun('does not wait for releases that wait for it', async () => {
    await query('drop index rooms_name')
    await query('delete from migrations where name = $1', [indexed.name])
    // Others begin while it is built, and it waits for somebody who began before.
    const before = await somebody()
    await before.query('begin; insert into rooms (id) values (3)')
    const first = migrate([indexed])
    const building = async () =>
      (
        await query(
          `select count(*)::integer as n from pg_stat_progress_create_index where datname = current_database()`,
        )
      )[0]!.n
    await vi.waitFor(async () => expect(await building()).toBe(1), { timeout: 20_000, interval: 10 })
    const others = [migrate([indexed]), migrate([indexed])]
    await before.query('commit')
    expect(await first).toHaveLength(1)
    expect(await Promise.all(others)).toEqual([[], []])
    expect(await valid()).toBe(true)
    await before.end()
  })
})

inWholeRun(() => {
  describe('a release', () => {
    const name = `release_${randomBytes(6).toString('hex')}`
    const ownerUrl = inDatabase(inject('ownerUrl'), name)

    beforeAll(() => asOwner(`create database ${name}`))
    afterAll(async () => {
      await closeDatabase()
      await dropDatabase(name)
    })

    it('that was killed in the middle is taken up by the next, of which two may run', {
      timeout: 180_000,
    }, async () => {
      await closeDatabase()
      openDatabase(ownerUrl, 4)
      const script = await compiledFile('jobs/migrate.ts')
      const env = { PATH: process.env.PATH, DATABASE_URL: ownerUrl, ...keys }
      const child = spawn(process.execPath, [script], { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      const begun = async () =>
        expect(
          await query(
            `select from pg_locks where locktype = 'advisory'
               and database = (select oid from pg_database where datname = current_database())`,
          ),
        ).not.toEqual([])
      await vi.waitFor(begun, { timeout: 120_000, interval: 5 })
      child.kill('SIGKILL')
      await ended
      await Promise.all([migrate(), migrate()])
      expect(await pendingMigrations()).toBe(0)
      const document = readCheckout('migrations/schema.sql')
      expect(await schemaDocument()).toBe(document)
    })
  })
})

inWholeRun(() => {
  describe('a migration whose statements stand alone', () => {
    const name = `twice_${randomBytes(6).toString('hex')}`
    beforeAll(() => asOwner(`create database ${name}`))
    afterAll(async () => {
      await closeDatabase()
      await dropDatabase(name)
    })

    it('bears being run again from its start, as after a kill at its end', { timeout: 180_000 }, async () => {
      await closeDatabase()
      openDatabase(inDatabase(inject('ownerUrl'), name), 4)
      for (const [n, { name: last, transaction }] of migrations.entries()) {
        if (transaction !== false) continue
        await migrate(migrations.slice(0, n + 1))
        const before = await schemaSoFar()
        await query('delete from migrations where name = $1', [last])
        expect(await migrate(migrations.slice(0, n + 1))).toEqual([last])
        expect([last, await schemaSoFar()]).toEqual([last, before])
      }
      await migrate()
      const document = readCheckout('migrations/schema.sql')
      expect(await schemaDocument()).toBe(document)
    })
  })
})

describe('a filled building', () => {
  const name = `filled_${randomBytes(6).toString('hex')}`

  beforeAll(async () => {
    await makeBuilding(name)
    await closeDatabase()
    openDatabase(inDatabase(inject('ownerUrl'), name), 4)
  })
  afterAll(async () => {
    await closeDatabase()
    await dropDatabase(name)
  })

  it('that version 1.0.0 took over from an earlier commit still lists the steps of that one', async () => {
    const earlier = '20261101090000_users'
    await query(`insert into migrations (name, batch, migration_time) values ($1, 1, now())`, [earlier])
    expect(await migrate()).toEqual([])
    const names = await column<string>('select name from migrations')
    expect(names).toContain(earlier)
    expect(compareMigrations(names)).toEqual({ missing: [], unknown: [] })
    await query('delete from migrations where name = $1', [earlier])
  })

  it('that lists the steps of an earlier commit is not taken down for an archive without them', async () => {
    const names = migrations.map(({ name }) => name)
    const nowhere = 'postgres://127.0.0.1:1/nothing'
    const earlier = ['20261101090000_users', ...names]
    await expect(migrateTo(nowhere, earlier, names)).resolves.toBeUndefined()
    await expect(migrateTo(nowhere, names, earlier)).resolves.toBeUndefined()
  })

  it.each([
    [
      'tables of an earlier commit',
      `update migrations set name = 'earlier_' || name`,
      `update migrations set name = substring(name from 9)`,
    ],
    [
      'tables of a program that lists its migrations under other columns',
      'alter table migrations rename name to migration',
      'alter table migrations rename migration to name',
    ],
    [
      'tables of a program that lists none',
      'alter table migrations rename to steps',
      'alter table steps rename to migrations',
    ],
  ])('with %s is refused in a sentence, and left as it is', async (_, change, undo) => {
    await query(change)
    const tables = () => query('select relname, relacl from pg_class order by oid')
    const before = await tables()
    await expect(migrate()).rejects.toThrow(
      /^This database has tables \(\w+\), but not those of Caretaker 1\.0\.0 or newer, and was left as it is/,
    )
    expect(await tables()).toEqual(before)
    await query(undo)
    expect(await migrate()).toEqual([])
  })

  it('that is newer than the code is ready, and left as it is', async () => {
    await query(
      `insert into migrations (name, batch, migration_time) values ('20990101000000_future', 99, now())`,
    )
    expect(await pendingMigrations()).toBe(0)
    expect(await migrate()).toEqual([])
  })
})

/** The schema of a database that may not have the record of its views yet. */
async function schemaSoFar(): Promise<string> {
  const [record] = await query(`select where to_regclass('public.database_views') is not null`)
  if (record) return schemaDocument()
  await query('create table database_views (name text, digest text, statement text, made_at timestamptz)')
  try {
    return await schemaDocument()
  } finally {
    await query('drop table database_views')
  }
}

/** Another connection, as somebody else who uses the database. */
async function somebody(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url() })
  await client.connect()
  return client
}

const columnsOf = async (table: string) =>
  (
    await query(
      `select column_name as name from information_schema.columns where table_name = $1 order by ordinal_position`,
      [table],
    )
  ).map(({ name }) => name)
