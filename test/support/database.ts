import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import '../../src/app/wiring.js'
import { closeDatabase, openDatabase } from '../../src/platform/db/pools.js'
import { stopDecoding } from '../../src/platform/photos/photoProcessor.js'
import { config } from '../../src/platform/process/config.js'

/**
 * Gives the test file a building of its own: a copy of the template database and its
 * photos, used as the role that serves; an empty one as its owner, so that it can be
 * migrated. Returns its address.
 */
export function useDatabase({ empty = false } = {}): () => string {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = inDatabase(inject(empty ? 'ownerUrl' : 'databaseUrl'), name)
  beforeAll(async () => {
    await (empty ? asOwner(`create database ${name}`) : makeBuilding(name))
    // Those of another building of the same file are not this one's.
    rmSync(config.photoDir, { recursive: true, force: true })
    if (!empty && existsSync(inject('photoDir')))
      cpSync(inject('photoDir'), config.photoDir, { recursive: true })
    // Who comes last of many at once waits on a busy machine for longer than people
    // may: with them it is a 503.
    openDatabase(url, undefined, { queue: 120_000 })
  })
  afterAll(async () => {
    await stopDecoding()
    await closeDatabase()
    await dropDatabase(name)
  })
  return () => url
}

/** Makes a database with a copy of the template building. */
export const makeBuilding = (name: string): Promise<void> =>
  asOwner(`create database ${name} template caretaker strategy file_copy`)

/**
 * Makes a data folder with a private server's database, a copy of the template building, as a
 * first start leaves it; nothing runs on it.
 */
export function makePrivateBuilding(dataDir: string): void {
  execFileSync('cp', ['-a', inject('buildingDir'), dataDir])
}

/**
 * Drops a database with its connections. The server's own vacuum may hold on to it, and only
 * the server may end that.
 */
export async function dropDatabase(name: string): Promise<void> {
  for (let tries = 240; ; tries -= 1)
    try {
      return await asOwner(`drop database if exists ${name} with (force)`)
    } catch (error) {
      if (tries === 0 || (error as { code?: string }).code !== '42501') throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
}

/** The same server and role, another database. */
export function inDatabase(address: string, name: string): string {
  return Object.assign(new URL(address), { pathname: `/${name}` }).href
}

/**
 * Runs what the application may not, as the owner of the databases: in the one at
 * `address`, or beside them all.
 */
export async function asOwner(
  sql: string,
  address = inDatabase(inject('ownerUrl'), 'postgres'),
): Promise<void> {
  await columnAsOwner(sql, address)
}

/** The same; returns the first column of every row. */
export async function columnAsOwner<T>(sql: string, address: string): Promise<T[]> {
  const name = new URL(address).pathname.slice(1)
  const client = new pg.Client({ connectionString: inDatabase(inject('ownerUrl'), name) })
  await client.connect()
  try {
    const { rows = [] } = await client.query<Record<string, T>>(sql)
    return rows.map((row) => Object.values(row)[0]!)
  } finally {
    await client.end()
  }
}
