import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isPhotoPath } from '../../platform/photos/photoFormat.js'
import { StorageUnavailable } from '../../platform/photos/storage.js'
import { type AddEntry, ArchiveDamaged, type ArchiveEntry, readArchive } from './archive.js'

/** Raised when an archive of this version cannot be read by older code any more. */
export const format = 1
/**
 * Entries whose checksums are kept in memory before they are written, each with 150 bytes at most.
 */
const sumsAtOnce = 10_000

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const count = z.number().int().min(0)

/**
 * The first entry. `building`: its id; `migrations`: those its tables were made by, oldest first.
 */
const Manifest = z.object({
  format: z.literal(format),
  caretaker: z.string(),
  takenAt: z.iso.datetime(),
  building: z.uuid(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1) })),
})
export type Manifest = z.output<typeof Manifest>

/**
 * The last entry, without which an archive counts as cut short: rows of each table, the last number
 * of each sequence (null: none yet), and the SHA-256 of all lists of checksums and of these
 * numbers.
 */
const Ending = z.object({
  rows: z.record(name, count),
  sequences: z.record(name, count.nullable()),
  photos: z.object({ kept: count, missing: count, deleted: count }),
  entries: count,
  sums: z.string(),
})
export type Ending = z.output<typeof Ending>
export const rowsIn = ({ rows }: Ending) => Object.values(rows).reduce((sum, each) => sum + each, 0)
/** What a writer says of its contents at the end; the rest is counted here. */
type Totals = Pick<Ending, 'rows' | 'sequences' | 'photos'>

export const tableEntry = (table: string, n: number) => `tables/${table}/${String(n).padStart(6, '0')}.copy`
/** The table an entry holds rows of; null for any other entry. */
export const tableOf = (entry: string) => /^tables\/([a-z0-9_]+)\/\d{6,}\.copy$/.exec(entry)?.[1] ?? null
export const photoEntry = (path: string) => `photos/${path}`
/** The path of the photo or thumbnail an entry holds; null for any other entry. */
export function archivedPhoto(entry: string): string | null {
  const path = entry.startsWith('photos/') ? entry.slice('photos/'.length) : ''
  return isPhotoPath(path) ? path : null
}

const [first, last] = ['manifest.json', 'end.json']
const isSums = (entry: string) => /^sums\/\d{6,}\.sha256$/.test(entry)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const asJson = (value: object) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

/** Checksums of entries as `sha256sum -c` reads them, and one over all of them. */
function checksums() {
  const all = createHash('sha256')
  let [lines, entries]: [string[], number] = [[], 0]
  return {
    add({ name, bytes }: ArchiveEntry): void {
      lines.push(`${sha256(bytes)}  ${name}\n`)
      entries += 1
    },
    waiting: () => lines.length,
    /** The list of those added since the last one. */
    list(): Buffer {
      const bytes = Buffer.from(lines.join(''))
      all.update(bytes)
      lines = []
      return bytes
    },
    result: ({ rows, sequences, photos }: Totals) => ({
      entries,
      sums: all
        .copy()
        .update(JSON.stringify([rows, sequences, photos]))
        .digest('hex'),
    }),
  }
}

/** Writes the manifest, what `fill` adds with its checksums, and the ending. */
export async function writeContents(
  add: AddEntry,
  manifest: Omit<Manifest, 'format'>,
  fill: (add: AddEntry) => Promise<Totals>,
): Promise<Ending> {
  const sums = checksums()
  let lists = 0
  const addList = () => add(`sums/${String(++lists).padStart(6, '0')}.sha256`, sums.list())
  const addSummed: AddEntry = async (name, bytes) => {
    await add(name, bytes)
    sums.add({ name, bytes })
    if (sums.waiting() === sumsAtOnce) await addList()
  }
  await addSummed(first, asJson({ format, ...manifest }))
  const totals = await fill(addSummed)
  await addList()
  const ending = { ...totals, ...sums.result(totals) }
  await add(last, asJson(ending))
  return ending
}

/** An archive being read. */
export type Reading = Awaited<ReturnType<typeof openContents>>

/**
 * Opens an archive: its manifest, and the rows and photos in order, whose checksums are compared as
 * they go by. Throws ArchiveDamaged at the latest after the last of them, which is why nothing may
 * be kept of them before.
 */
export async function openContents(path: string) {
  const archive = readArchive(path)
  const close = () => archive.return(undefined)
  const begun = await archive.next()
  const sums = checksums()
  const manifest = await readManifest(begun, sums).catch(async (error: unknown) => {
    await close()
    throw error
  })
  let ending: Ending | null = null
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    for await (const entry of archive) {
      if (ending) throw damagedEntry(entry.name)
      if (isSums(entry.name)) {
        if (!entry.bytes.equals(sums.list())) throw damagedEntry(entry.name)
      } else if (entry.name === last) ending = checkedEnding(entry.bytes, sums)
      else if (isKnown(manifest, entry.name)) {
        sums.add(entry)
        yield entry
      } else throw damagedEntry(entry.name)
    }
    if (!ending) throw new ArchiveDamaged('The archive has no end: it was cut short.')
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
  sums: ReturnType<typeof checksums>,
): Promise<Manifest> {
  if (done || value.name !== first) throw new ArchiveDamaged('The file is no Caretaker backup.')
  sums.add(value)
  const json = parsedJson(value.bytes)
  const made = (json as { format?: unknown } | null)?.format
  if (typeof made === 'number' && made > format)
    throw new ArchiveDamaged(
      'The backup was made by a newer version of Caretaker. Install that version first.',
    )
  const { data } = Manifest.safeParse(json)
  if (!data) throw damagedEntry(first)
  return data
}

function isKnown(manifest: Manifest, entry: string): boolean {
  const table = tableOf(entry)
  return table ? manifest.tables.some((each) => each.name === table) : archivedPhoto(entry) !== null
}

function checkedEnding(bytes: Buffer, sums: ReturnType<typeof checksums>): Ending {
  const { data: ending } = Ending.safeParse(parsedJson(bytes))
  const found = ending && sums.result(ending)
  if (!found || sums.waiting() > 0 || found.entries !== ending.entries || found.sums !== ending.sums)
    throw damagedEntry(last)
  return ending
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

const damagedEntry = (name: string) =>
  new ArchiveDamaged(`The archive is damaged: ${name} is not as it was written.`)

/** Milliseconds before each further try: a bad second of the store must not end work of hours. */
const pauses = [2_000, 5_000, 15_000]

/**
 * Does what may be done twice again while the photo store is away. Throws anything else at once, as
 * what the store refuses for good, and StorageUnavailable after the last try.
 */
export async function patiently<T>(act: () => Promise<T>, waits = pauses): Promise<T> {
  for (const wait of waits)
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || error.refusal !== null) throw error
      await sleep(wait)
    }
  return act()
}
