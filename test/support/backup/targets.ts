import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import type { Target } from '../../../src/operations/backup/restoreBackup.js'
import { localStore } from '../../../src/platform/photos/localStore.js'
import type { PhotoStore } from '../../../src/platform/photos/store.js'
import { asOwner, dropDatabase, inDatabase } from '../database.js'
import { keys } from '../keys.js'
import { ask } from '../postgres/embeddedUse.js'
import { runJobProcess } from '../process.js'

/**
 * Makes databases to restore into, migrated or `empty`, with empty photo stores; they are
 * dropped after the test file.
 */
export function restoreTargets(
  folder: string,
): (how?: { empty?: boolean }) => Promise<Target & { photoDir: string }> {
  const names: string[] = []
  afterAll(async () => {
    for (const name of names) await dropDatabase(name)
  })
  const fresh = async (template: string) => {
    const name = `restored_${randomBytes(6).toString('hex')}`
    names.push(name)
    await asOwner(`create database ${name} template ${template} strategy file_copy`)
    return name
  }
  let migrated: Promise<string> | undefined
  const makeMigrated = async () => {
    const name = await fresh('template0')
    // In a process of its own, as the service's database may be open in this one.
    await runJobProcess('migrate', {
      DATABASE_URL: inDatabase(inject('databaseUrl'), name),
      MIGRATION_DATABASE_URL: inDatabase(inject('ownerUrl'), name),
      DATA_DIR: folder,
      ...keys,
    })
    return name
  }
  return async ({ empty = false } = {}) => {
    if (!empty) migrated ??= makeMigrated()
    const name = await fresh(empty ? 'template0' : await migrated!)
    const photoDir = path.join(folder, name)
    const [ownerUrl, url] = [inDatabase(inject('ownerUrl'), name), inDatabase(inject('databaseUrl'), name)]
    return { url, ownerUrl, photos: photosIn(photoDir), photoDir }
  }
}

export const photosIn = (folder: string): PhotoStore => localStore(folder)

/** What a restore adds or changes, and what it cannot keep. */
const notKept: Record<string, { columns?: string[]; rows?: string }> = {
  building_identity: { columns: ['building_id'] },
  audit_entries: { columns: ['transaction_id'], rows: `action <> 'property.restored'` },
  properties: { columns: ['sending_paused_at', 'sending_paused_why'] },
}

/**
 * A checksum over all rows of each table, with their number, but for counters of the rate limiter,
 * the backup's own run, and what the release step has run in the database.
 */
export async function checksums(url: string): Promise<Record<string, string>> {
  const tables = await ask<{ name: string; columns: string[] }>(
    url,
    `select table_name as name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns
     where table_schema = 'public' and table_name not in ('throttles', 'job_runs', 'database_views')
       and table_name not like 'migrations%'
     group by table_name order by table_name`,
  )
  const sums: Record<string, string> = {}
  for (const { name, columns } of tables) {
    const { columns: left = [], rows = 'true' } = notKept[name] ?? {}
    const kept = columns.filter((column) => !left.includes(column)).map((column) => `"${column}"`)
    const [row] = await ask<{ sum: string }>(
      url,
      `select count(*) || ' ' || md5(coalesce(string_agg(row, '' order by row), '')) as sum
       from (select md5(row(${kept})::text) as row from "${name}" where ${rows}) r`,
    )
    sums[name] = row!.sum
  }
  return sums
}

/** The number of tables of a database, and whether there is a building in it. */
export async function contentsOf(url: string): Promise<{ tables: number; building: boolean }> {
  const [{ n }] = (await ask<{ n: number }>(
    url,
    `select count(*)::integer as n from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     and relname not like 'migrations%'`,
  )) as [{ n: number }]
  if (n === 0) return { tables: 0, building: false }
  const [row] = await ask<{ building: boolean }>(
    url,
    'select exists (select from audit_entries) or exists (select from incidents) as building',
  )
  return { tables: n, building: row!.building }
}
