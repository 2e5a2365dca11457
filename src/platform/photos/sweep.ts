import { log } from '../process/log.js'
import { photoOf } from './photoPath.js'
import { areTooManyUnknown, type FindReferenced, filesWithReferences } from './referencedFiles.js'
import type { PhotoStore } from './store.js'

/**
 * `olderThanMs` must exceed the longest time from `put` to the commit that references it.
 * `evenIfTooManyUnknown`: however many of the files the database does not reference.
 */
export type SweepOptions = {
  olderThanMs: number
  findReferenced: FindReferenced
  evenIfTooManyUnknown?: boolean
}

/** Files moved to the trash, brought back, removed from it, and left alone as too many. */
export type Swept = { orphaned: number; restored: number; removed: number; refused: number }

/** Milliseconds that a file stays in the trash. */
const trashTime = 30 * 24 * 3_600_000

/**
 * Moves photos no one references to the trash, brings back what is referenced after all, and
 * removes what has lain there for 30 days. Refuses when too many are unknown, and logs it. Throws
 * StoreUnavailable.
 */
export async function sweepOrphans(store: PhotoStore, options: SweepOptions): Promise<Swept> {
  await store.removeTemporary()
  return { ...(await orphansToTrash(store, options)), ...(await emptyTrash(store, options.findReferenced)) }
}

async function orphansToTrash(
  store: PhotoStore,
  { olderThanMs, findReferenced, evenIfTooManyUnknown = false }: SweepOptions,
) {
  const before = Date.now() - olderThanMs
  const orphans: string[] = []
  const photos = { all: 0, unknown: 0 }
  for await (const batch of filesWithReferences(store, 'photos', findReferenced)) {
    const old = batch.filter(({ since }) => since < before)
    const unknown = old.filter(({ isReferenced }) => !isReferenced)
    orphans.push(...unknown.map(({ path }) => path))
    photos.all += countPhotos(old)
    photos.unknown += countPhotos(unknown)
  }
  if (!evenIfTooManyUnknown && areTooManyUnknown(photos)) {
    log.warn(photos, 'most photos in the store are unknown to this database: none were taken out of use')
    return { orphaned: 0, refused: orphans.length }
  }
  for (const path of orphans) await store.move(path, 'trash')
  return { orphaned: orphans.length, refused: 0 }
}

async function emptyTrash(store: PhotoStore, findReferenced: FindReferenced) {
  const counts = { restored: 0, removed: 0 }
  const before = Date.now() - trashTime
  for await (const batch of filesWithReferences(store, 'trash', findReferenced)) {
    for (const { path, since, isReferenced } of batch) {
      if (isReferenced) {
        await store.move(path, 'photos')
        counts.restored += 1
      } else if (since < before) {
        await store.remove(path, 'trash')
        counts.removed += 1
      }
    }
  }
  return counts
}

/** How many photos these files are of: a photo and its thumbnail count once. */
const countPhotos = (files: { path: string }[]) => new Set(files.map(({ path }) => photoOf(path))).size
