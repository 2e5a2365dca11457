import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { tryLockStatements } from '../../platform/db/advisoryLocks.js'
import { queryOn } from '../../platform/db/database.js'
import {
  compareMigrations,
  migrateAs,
  migrateTo,
  migrationsRun,
} from '../../platform/db/migrations/migrate.js'
import type { PhotoStore } from '../../platform/photos/store.js'
import type { ArchiveEntry } from './archive.js'
import { type Ending, type Manifest, openContents, type Reading } from './contents.js'
import { archivedPhoto, tableOf } from './entries.js'
import { retryWhileStoreIsAway } from './photoStoreRetry.js'
import {
  carriedTables,
  columnList,
  inLongTransaction,
  recordsOfRuns,
  sequenceNumbers,
  type Table,
} from './tables.js'

/** Where a building is restored to. `ownerUrl`: the same database as the owner of its tables. */
export type Target = { url: string; ownerUrl: string; photos: PhotoStore }
export type Checked = { manifest: Manifest; ending: Ending }

/** Photos stored at once: a store far away takes 20 ms for each. */
const photosAtOnce = 8

/** Reads an archive and compares every checksum. Throws ArchiveDamaged, and for a newer version. */
export async function checkBackup(path: string): Promise<Checked> {
  const { manifest, entries, ending } = await openContents(path)
  for await (const _entry of entries);
  const { unknown } = compareMigrations(manifest.migrations)
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer version of Caretaker (${manifest.caretaker}). Install that version first.`,
    )
  return { manifest, ending: ending() }
}

/**
 * Puts a checked archive into an empty database and its photos into the store; rows are seen all at
 * once at the end. The building then sends nothing (`property.sending_paused`). Throws before
 * anything is written, or leaves it empty.
 */
export async function restoreBackup(target: Target, path: string): Promise<Checked> {
  const checked = await checkBackup(path)
  let prepared = false
  try {
    await inLongTransaction(target.ownerUrl, 'begin', async (client) => {
      await lockRestores(client)
      const ran = await requireRestorable(target.ownerUrl)
      prepared = true
      await migrateTo(target.ownerUrl, ran, checked.manifest.migrations)
      await replaceContents(client, target.photos, path)
    })
  } catch (error) {
    // The tables and rights of this version again: the service may be running there.
    if (prepared) await migrateAs(target.ownerUrl, target.url).catch(() => undefined)
    throw error
  }
  await migrateAs(target.ownerUrl, target.url)
  return checked
}

/**
 * Takes a lock, the same in every version, so that a second restore into the same database is
 * refused.
 */
async function lockRestores(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(tryLockStatements.restore)
  if (!rows[0]!.got) throw new Error('Another restore to this database is in progress.')
}

/**
 * Throws for a database that is in use. Returns the migrations it has run. The check is a
 * transaction of its own: its locks would stop the migrations. `replaceContents` checks again under
 * its locks.
 */
async function requireRestorable(ownerUrl: string): Promise<string[]> {
  const ran = await inLongTransaction(ownerUrl, 'begin', async (client) => {
    await requireEmpty(client)
    return migrationsRun(queryOn(client))
  })
  if (compareMigrations(ran).unknown.length > 0)
    throw new Error(
      'The database belongs to a newer version of Caretaker or to another program. Choose an empty one.',
    )
  return ran
}

/** Every act leaves an audit entry: without entries, people and incidents it is not in use. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const there = new Set(tables.map(({ name }) => name))
  if (there.size > 0 && !there.has('migrations'))
    throw new Error('The database contains tables of another program. Choose an empty one.')
  const signs: [table: string, rows: string][] = [
    ['audit_entries', 'from audit_entries'],
    ['incidents', 'from incidents'],
    ['users', 'from users where not is_mobile_reporter'],
  ]
  const conditions = signs.filter(([table]) => there.has(table)).map(([, rows]) => `exists (select ${rows})`)
  if (conditions.length === 0) return
  const { rows } = await client.query<{ used: boolean }>(`select ${conditions.join(' or ')} as used`)
  if (rows[0]!.used)
    throw new Error(
      'There is already a building in this database. Nothing was changed. Restore to an empty database.',
    )
}

/** Foreign keys are made again at the end, which proves them; rows then load in any order. */
async function replaceContents(client: pg.Client, photos: PhotoStore, path: string): Promise<void> {
  const every = await lockTables(client)
  await requireEmpty(client)
  const { rows: own } = await client.query<{ id: string }>('select building_id as id from building_identity')
  const keys = await foreignKeys(client)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of every) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${every.join(', ')} restart identity`)
  await loadContents(client, photos, path, own[0]!.id)
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const table of every) await client.query(`alter table ${table} enable trigger user`)
  await client.query(`analyze ${every.join(', ')}`)
}

/** With every checksum again: the file may have changed. `ownId`: the empty building's id. */
async function loadContents(
  client: pg.Client,
  photos: PhotoStore,
  path: string,
  ownId: string,
): Promise<void> {
  const reading = await openContents(path)
  try {
    const { manifest } = reading
    await requireSameTables(client, manifest)
    const id = await retryWhileStoreIsAway(() => idOfCopy(photos, manifest.building, ownId))
    const loaded = await loadEntries(client, photos, reading)
    requireSameCounts(loaded, reading.ending())
    await setSequences(client, reading.ending())
    await client.query('update building_identity set building_id = $1', [id])
    await pauseCopy(client, manifest)
  } finally {
    await reading.close()
  }
}

/**
 * A copy is a building of its own, so that it can never sweep the original's photos, unless it is
 * restored to where those are. Claims a store that is no one's. Throws when the store is of a third
 * building.
 */
async function idOfCopy(photos: PhotoStore, originalId: string, ownId: string): Promise<string> {
  const owner = (await photos.owner()) ?? (await photos.claim(ownId))
  if (owner === originalId || owner === ownId) return owner
  throw new Error('The photo store belongs to another building. Choose an empty one.')
}

/**
 * Locks every table of ours until the end, so that no process can write to it. Returns their names
 * as SQL writes them.
 */
async function lockTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all ($1::text[])
     order by relname`,
    [recordsOfRuns],
  )
  const every = rows.map(({ name }) => `public.${pg.escapeIdentifier(name)}`)
  await client.query(`lock table ${every.join(', ')} in access exclusive mode`)
  return every
}

async function requireSameTables(client: pg.Client, manifest: Manifest): Promise<void> {
  const shape = (tables: Table[]) =>
    tables
      .map(({ name, columns }) => `${name}(${columns.toSorted().join()})`)
      .sort()
      .join()
  if (shape(await carriedTables(client)) !== shape(manifest.tables))
    throw new Error('The backup’s tables don’t match the migrations of this version of Caretaker.')
}

type ForeignKey = { table: string; name: string; definition: string }

async function foreignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  return rows
}

/** Loads rows and photos in the order of the archive. Returns the number of rows of each table. */
async function loadEntries(
  client: pg.Client,
  photos: PhotoStore,
  { manifest, entries }: Reading,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(manifest.tables.map(({ name }) => [name, 0]))
  let waiting: ArchiveEntry[] = []
  const storePhotos = async () => {
    await Promise.all(
      waiting.map(({ name, bytes }) => retryWhileStoreIsAway(() => photos.put(archivedPhoto(name)!, bytes))),
    )
    waiting = []
  }
  for await (const entry of entries) {
    const name = tableOf(entry.name)
    const table = manifest.tables.find((each) => each.name === name)
    if (table) counts[table.name]! += await loadRows(client, table, entry.bytes)
    else if (waiting.push(entry) === photosAtOnce) await storePhotos()
  }
  await storePhotos()
  return counts
}

/** Each entry ends with a row, so it is a COPY of its own. Returns how many rows it has. */
async function loadRows(client: pg.Client, table: Table, rows: Buffer): Promise<number> {
  const copy = client.query(
    copyFrom(`copy public.${pg.escapeIdentifier(table.name)} (${columnList(table)}) from stdin`),
  )
  await pipeline(Readable.from([rows]), copy)
  return copy.rowCount
}

function requireSameCounts(loaded: Record<string, number>, { rows }: Ending): void {
  const wrong = Object.keys({ ...loaded, ...rows }).filter((table) => loaded[table] !== rows[table])
  if (wrong.length > 0)
    throw new Error(`The backup doesn’t have the number of rows it lists: ${wrong.join(', ')}.`)
}

async function setSequences(client: pg.Client, { sequences }: Ending): Promise<void> {
  const ours = Object.keys(await sequenceNumbers(client))
  if (ours.sort().join() !== Object.keys(sequences).sort().join())
    throw new Error('The backup’s sequences don’t match its tables.')
  for (const [name, last] of Object.entries(sequences))
    if (last !== null)
      await client.query('select setval($1::regclass, $2)', [`public.${pg.escapeIdentifier(name)}`, last])
}

/** In the same transaction as the rows: there is no moment at which the copy could send. */
async function pauseCopy(client: pg.Client, { takenAt, caretaker }: Manifest): Promise<void> {
  await client.query(`update properties set sending_paused_at = now(), sending_paused_why = 'restored'`)
  const changes = { backupOf: { before: null, after: takenAt }, version: { before: null, after: caretaker } }
  await client.query(
    `insert into audit_entries (actor_type, actor_name, action, entity, entity_id, changes, via, affects_status)
     values ('system', 'System', 'property.restored', 'property', 1, $1, 'cli', true)`,
    [JSON.stringify(changes)],
  )
}
