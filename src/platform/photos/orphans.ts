import { log } from '../ops/log.js'
import { photoOf } from './photoFormat.js'
import type { Area, ListedFile, PhotoStore } from './storage.js'

/**
 * Which of at most 500 photo paths (a thumbnail goes with its photo) are still referenced.
 */
export type Known = (paths: string[]) => Promise<Set<string>>

/**
 * `olderThanMs` must exceed the longest time from `put` to the commit that references it.
 * `anyShare`: however many of the files no one knows.
 */
export type SweepOptions = { olderThanMs: number; known: Known; anyShare?: boolean }

/**
 * Files moved to the trash, brought back from it, removed from it, and left alone because they were
 * too many.
 */
export type Swept = { orphaned: number; restored: number; removed: number; refused: number }

const batchSize = 500
/** Milliseconds that a file stays in the trash. */
const trashTime = 30 * 24 * 3_600_000
/**
 * More unknown photos than this, and than this share of all, are no orphans: the database is the
 * wrong one.
 */
const handful = 20
const share = 0.2

/**
 * Moves photos no one knows to the trash, brings back what is known after all, and removes what has
 * lain there for 30 days. Refuses when most are unknown, and logs it. Throws StorageUnavailable.
 */
export async function sweepOrphans(store: PhotoStore, options: SweepOptions): Promise<Swept> {
  await store.removeTemporary()
  return { ...(await orphansToTrash(store, options)), ...(await emptyTrash(store, options.known)) }
}

async function orphansToTrash(store: PhotoStore, { olderThanMs, known, anyShare = false }: SweepOptions) {
  const before = Date.now() - olderThanMs
  const orphans: string[] = []
  const photos = { all: 0, unknown: 0 }
  for await (const batch of batches(store, 'photos', known)) {
    const old = batch.filter(({ since }) => since < before)
    const unknown = old.filter((file) => !file.known)
    orphans.push(...unknown.map(({ path }) => path))
    photos.all += distinct(old)
    photos.unknown += distinct(unknown)
  }
  if (!anyShare && areTooMany(photos)) {
    log.warn(photos, 'most photos in the store are unknown to this database: none were taken out of use')
    return { orphaned: 0, refused: orphans.length }
  }
  for (const path of orphans) await store.move(path, 'trash')
  return { orphaned: orphans.length, refused: 0 }
}

async function emptyTrash(store: PhotoStore, known: Known) {
  const counts = { restored: 0, removed: 0 }
  const before = Date.now() - trashTime
  for await (const batch of batches(store, 'trash', known)) {
    for (const file of batch) {
      if (file.known) {
        await store.move(file.path, 'photos')
        counts.restored += 1
      } else if (file.since < before) {
        await store.remove(file.path, 'trash')
        counts.removed += 1
      }
    }
  }
  return counts
}

/** Whether so many photos are unknown that something else must be wrong. */
export function areTooMany({ all, unknown }: { all: number; unknown: number }): boolean {
  return unknown > handful && unknown > share * all
}

const distinct = (files: { path: string }[]) => new Set(files.map(({ path }) => photoOf(path))).size

/** The files of an area, with whether they are known. */
export async function* batches(
  store: PhotoStore,
  area: Area,
  known: Known,
): AsyncGenerator<(ListedFile & { known: boolean })[]> {
  let batch: ListedFile[] = []
  const asked = async () => {
    const referredTo = await known([...new Set(batch.map(({ path }) => photoOf(path)))])
    return batch.map((file) => ({ ...file, known: referredTo.has(photoOf(file.path)) }))
  }
  for await (const file of store.list(area)) {
    batch.push(file)
    if (batch.length < batchSize) continue
    yield await asked()
    batch = []
  }
  if (batch.length > 0) yield await asked()
}
