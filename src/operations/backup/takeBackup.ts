import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { queryOn } from '../../platform/db/database.js'
import { migrationsRun } from '../../platform/db/migrations/migrate.js'
import { thumbnailOf } from '../../platform/photos/photoPath.js'
import type { PhotoStore } from '../../platform/photos/store.js'
import { version } from '../../platform/process/version.js'
import { type AddEntry, writeArchive } from './archive.js'
import { type Ending, writeContents } from './contents.js'
import { photoEntry, tableEntry } from './entries.js'
import { retryWhileStoreIsAway } from './photoStoreRetry.js'
import {
  carriedTables,
  columnList,
  inLongTransaction,
  photoPathsSql,
  sequenceNumbers,
  type Table,
} from './tables.js'

/** Bytes of rows in one entry, which must be in memory because a tar file says sizes first. */
const rowBytes = 4 * 1024 * 1024
/** Photos read at once: a store far away takes 20 ms for each. */
const photosAtOnce = 8
/** Per cent of all photos: where more are missing, it is the photo store of another database. */
const mostMissing = 20
/** Missing photos below which it is not: a small building may have lost some one by one. */
const fewMissing = 10

/**
 * Writes the database as of one moment and every photo it names into one archive; `path` null:
 * standard output. `photos` null leaves them out. The service goes on meanwhile. Throws when the
 * photo store is not the one of this database.
 */
export async function takeBackup(
  { url, photos }: { url: string; photos: PhotoStore | null },
  path: string | null,
): Promise<{ takenAt: string; ending: Ending; missing: string[] }> {
  return inLongTransaction(url, 'begin isolation level repeatable read read only', async (client) => {
    const [migrations, tables] = [await migrationsRun(queryOn(client)), await carriedTables(client)]
    requirePausable(tables)
    const { rows } = await client.query<{ now: Date; building: string }>(
      'select now() as now, building_id as building from building_identity',
    )
    const { now, building } = rows[0]!
    const takenAt = now.toISOString()
    let missing: string[] = []
    const manifest = { caretaker: version, takenAt, building, migrations, tables }
    const ending = await writeArchive(path, (add) =>
      writeContents(add, manifest, async (addEntry) => {
        const counts: Record<string, number> = {}
        for (const table of tables) counts[table.name] = await addRows(client, table, addEntry)
        const sequences = await sequenceNumbers(client)
        const copied = photos ? await addPhotos(client, url, photos, addEntry) : noPhotos
        missing = copied.missing
        return { rows: counts, sequences, photos: copied.counts }
      }),
    )
    return { takenAt, ending, missing }
  })
}

/** A restored copy must be able to send nothing. Any later version can be backed up. */
function requirePausable(tables: Table[]): void {
  const property = tables.find(({ name }) => name === 'properties')
  if (!property?.columns.includes('sending_paused_at'))
    throw new Error('The database is too old to back up. Run npm run migrate first.')
}

/** Adds a table's rows, as COPY writes them, in entries that end with a row. Returns how many. */
async function addRows(client: pg.Client, table: Table, add: AddEntry): Promise<number> {
  const copy = client.query(
    copyTo(`copy public.${pg.escapeIdentifier(table.name)} (${columnList(table)}) to stdout`),
  )
  let [parts, size, entries]: [Buffer[], number, number] = [[], 0, 0]
  const addUpTo = async (bytes: Buffer) => {
    if (bytes.length > 0) await add(tableEntry(table.name, ++entries), bytes)
  }
  for await (const part of copy as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size < rowBytes) continue
    const bytes = Buffer.concat(parts)
    // A line feed inside a value is written as two other characters.
    const end = bytes.lastIndexOf(0x0a) + 1
    await addUpTo(bytes.subarray(0, end))
    parts = [Buffer.from(bytes.subarray(end))]
    size = bytes.length - end
  }
  await addUpTo(Buffer.concat(parts))
  return copy.rowCount
}

type CopiedPhotos = { counts: Ending['photos']; missing: string[] }

const noPhotos: CopiedPhotos = { counts: { kept: 0, missing: 0, deleted: 0 }, missing: [] }

/**
 * Adds the files of all photos of the snapshot. `missing`: photos without a file that the database
 * still names; photos that were deleted meanwhile are only counted.
 */
async function addPhotos(
  client: pg.Client,
  url: string,
  photos: PhotoStore,
  add: AddEntry,
): Promise<CopiedPhotos> {
  const withoutFile: string[] = []
  let copied = 0
  const paths = await photoPathsSql(client)
  await client.query(`declare photo_paths no scroll cursor for ${paths} order by path`)
  for (;;) {
    const { rows } = await client.query<{ path: string }>(`fetch ${photosAtOnce} from photo_paths`)
    if (rows.length === 0) break
    const read = await Promise.all(
      rows.map(async ({ path }) => ({
        path,
        files: await retryWhileStoreIsAway(() => filesOf(photos, path)),
      })),
    )
    for (const { path, files } of read) {
      if (files === null) withoutFile.push(path)
      else copied += 1
      for (const [name, bytes] of files ?? []) await add(photoEntry(name), bytes)
    }
  }
  const missing = [...(await stillNamed(url, withoutFile))]
  const counts = { kept: copied, missing: missing.length, deleted: withoutFile.length - missing.length }
  requireMostPhotos(counts)
  return { counts, missing }
}

/** The photo and its thumbnail; null when either is not there. */
async function filesOf(photos: PhotoStore, path: string): Promise<[string, Buffer][] | null> {
  const read: [string, Buffer][] = []
  for (const name of [path, thumbnailOf(path)]) {
    const file = await photos.open(name)
    if (!file) return null
    read.push([name, await buffer(file.stream)])
  }
  return read
}

/** The paths that the database still names: the others were deleted while the backup was made. */
async function stillNamed(url: string, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  return inLongTransaction(url, 'begin isolation level repeatable read read only', async (client) => {
    const { rows } = await client.query<{ path: string }>(
      `select path from (${await photoPathsSql(client)}) p where path = any ($1)`,
      [paths],
    )
    return new Set(rows.map(({ path }) => path))
  })
}

function requireMostPhotos({ kept: copied, missing }: Ending['photos']): void {
  const isTolerable = missing * 100 <= (copied + missing) * mostMissing
  if (isTolerable || (copied > 0 && missing < fewMissing)) return
  throw new Error(
    `${missing} of ${copied + missing} photos are missing from the photo store, so it probably belongs to another database. No backup was made. To back up only the database, use --without-photos.`,
  )
}
