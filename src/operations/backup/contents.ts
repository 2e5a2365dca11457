import { z } from 'zod'
import { type AddEntry, ArchiveDamaged, type ArchiveEntry, readArchive } from './archive.js'
import { checksumLine, damagedEntry, requireChecksums } from './checksums.js'
import { archivedPhoto, checksumsEntry, endingEntry, jsonOrNull, manifestEntry, tableOf } from './entries.js'
import { firstFormat, inPresentFormat } from './firstFormat.js'

/** Raised when an archive of this version cannot be read by older code any more. */
const format = 2

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const count = z.number().int().min(0)

/**
 * The first entry. `building`: its id; `migrations`: those its tables were made by, oldest first.
 */
const Manifest = z.object({
  format: z.union([z.literal(format), z.literal(firstFormat)]),
  caretaker: z.string(),
  takenAt: z.iso.datetime(),
  building: z.uuid(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1) })),
})
export type Manifest = z.output<typeof Manifest>

/**
 * The last entry but one, when all rows and photos were written: rows of each table, the last
 * number of each sequence (null: none yet), and how many photos there are.
 */
const Ending = z.object({
  rows: z.record(name, count),
  sequences: z.record(name, count.nullable()),
  photos: z.object({ kept: count, missing: count, deleted: count }),
})
export type Ending = z.output<typeof Ending>
export const rowsIn = ({ rows }: Ending) => Object.values(rows).reduce((sum, each) => sum + each, 0)

const asJson = (value: object) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

/** Writes the manifest, what `fill` adds, what `fill` returns, and the checksums of them all. */
export async function writeContents(
  add: AddEntry,
  manifest: Omit<Manifest, 'format'>,
  fill: (add: AddEntry) => Promise<Ending>,
): Promise<Ending> {
  // 150 bytes at most for each entry, so 30 MB for a hundred thousand photos.
  const checksums: string[] = []
  const addSummed: AddEntry = async (name, bytes) => {
    await add(name, bytes)
    checksums.push(checksumLine({ name, bytes }))
  }
  await addSummed(manifestEntry, asJson({ format, ...manifest }))
  const ending = await fill(addSummed)
  await addSummed(endingEntry, asJson(ending))
  await add(checksumsEntry, Buffer.from(checksums.join('')))
  return ending
}

/** An archive being read. */
export type Reading = Awaited<ReturnType<typeof openContents>>

/**
 * Opens an archive: its manifest, and the rows and photos in order. Their checksums are compared
 * after the last of them, so nothing may be kept of them before: throws ArchiveDamaged then.
 */
export async function openContents(path: string) {
  const archive = readArchive(path)
  const close = () => archive.return(undefined)
  const begun = await archive.next()
  const checksums: string[] = []
  const manifest = await readManifest(begun, checksums).catch(async (error: unknown) => {
    await close()
    throw error
  })
  let ending: Ending | null = null
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    let isWhole = false
    for await (const entry of manifest.format === firstFormat ? inPresentFormat(archive) : archive) {
      if (isWhole) throw damagedEntry(entry.name)
      if (entry.name === checksumsEntry) {
        requireChecksums(checksums, entry.bytes)
        isWhole = true
        continue
      }
      checksums.push(checksumLine(entry))
      if (entry.name === endingEntry) ending = readEnding(entry.bytes)
      else if (!ending && isKnown(manifest, entry.name)) yield entry
      else throw damagedEntry(entry.name)
    }
    if (!isWhole) throw new ArchiveDamaged('The archive has no end: it was cut short.')
    if (!ending) throw damagedEntry(endingEntry)
  }
  return {
    manifest,
    entries: entries(),
    /** Once all entries were read. */
    ending: (): Ending => ending!,
    /** For when they are not all read. */
    close,
  }
}

async function readManifest(
  { done, value }: IteratorResult<ArchiveEntry, unknown>,
  checksums: string[],
): Promise<Manifest> {
  if (done || value.name !== manifestEntry) throw new ArchiveDamaged('The file is no Caretaker backup.')
  checksums.push(checksumLine(value))
  const json = jsonOrNull(value.bytes)
  const archiveFormat = (json as { format?: unknown } | null)?.format
  if (typeof archiveFormat === 'number' && archiveFormat > format)
    throw new ArchiveDamaged(
      'The backup was made by a newer version of Caretaker. Install that version first.',
    )
  const { data } = Manifest.safeParse(json)
  if (!data) throw damagedEntry(manifestEntry)
  return data
}

function isKnown(manifest: Manifest, entry: string): boolean {
  const table = tableOf(entry)
  return table ? manifest.tables.some((each) => each.name === table) : archivedPhoto(entry) !== null
}

function readEnding(bytes: Buffer): Ending {
  const { data } = Ending.safeParse(jsonOrNull(bytes))
  if (!data) throw damagedEntry(endingEntry)
  return data
}
