import { buildingId } from '../../../building/building.js'
import { query } from '../../../platform/db/database.js'
import { sendingPaused } from '../../../platform/outbox/sendingPaused.js'
import { photoStore } from '../../../platform/photos/configuredStore.js'
import { NotOurStore, ownership } from '../../../platform/photos/ownership.js'
import { thumbnailOf } from '../../../platform/photos/photoPath.js'
import { type PhotoStore, StoreUnavailable, sha256 } from '../../../platform/photos/store.js'
import { noteStoreFault, noteStoreWell } from '../../../platform/photos/storeFault.js'
import { type Swept, sweepOrphans } from '../../../platform/photos/sweep.js'

const hour = 3_600_000
const storeOwnership = ownership(photoStore, { buildingId, findReferenced: referencedPhotos })

/**
 * Throws StoreUnavailable when the photo store belongs to another building: nothing is stored
 * there.
 */
export const requireOurStore = (): Promise<void> => storeOwnership.requireOwned()

/** Says that the photo store belongs to this database from now on, whosever it was. */
export const adoptPhotoStore = () => storeOwnership.adopt()

/**
 * Why no photo may be taken out of use, for the operator; null when it may. A copied or moved
 * building may share its store with another one.
 */
export async function whyPhotosStay(): Promise<string | null> {
  const why = (await sendingPaused())?.why
  if (why === 'moved') return 'this building has moved, and the new one may live on these photos'
  if (why === 'restored')
    return 'this building is a copy, and the original may live on these photos: npm run sending -- resume says that it is not'
  return null
}

/**
 * Takes photos no row names out of use (`sweepOrphans`). Throws StoreUnavailable when the store
 * is away or another building's, and Error for a copy (`whyPhotosStay`). With
 * `evenIfTooManyUnknown` however many they are.
 */
export async function sweepPhotos({ evenIfTooManyUnknown = false } = {}): Promise<Swept> {
  const staying = await whyPhotosStay()
  if (staying) throw new Error(`No photos were removed: ${staying}`)
  await storeOwnership.checkOwnedNow()
  return sweepOrphans(photoStore, {
    olderThanMs: 24 * hour,
    findReferenced: referencedPhotos,
    evenIfTooManyUnknown,
  })
}

/**
 * Sweeps photos for `tidy`, whose other work goes on when the store is not ours. Returns counts by
 * name, and why photos were left alone.
 */
export async function sweepPhotosForTidy(): Promise<Record<string, number | string>> {
  const staying = await whyPhotosStay()
  if (staying) return { orphanedPhotos: 0, photosLeftAlone: staying }
  try {
    const { orphaned, restored, removed, refused } = await sweepPhotos()
    return {
      orphanedPhotos: orphaned,
      restoredPhotos: restored,
      removedPhotos: removed,
      ...(refused > 0 ? { photosLeftAlone: `${refused} files are unknown to this database` } : {}),
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable && error.cause instanceof NotOurStore)) throw error
    return { orphanedPhotos: 0, photosLeftAlone: error.cause.message }
  }
}

/**
 * Throws when the photo store cannot store a photo of this building now. Logs a line when that
 * changes.
 */
export async function checkPhotoStore(): Promise<void> {
  try {
    await photoStore.check()
    await storeOwnership.checkOwnedNow()
    noteStoreWell()
  } catch (error) {
    noteStoreFault(error)
    throw error
  }
}

/** Files copied, files found there already, files that neither store has; bytes copied. */
type Copied = { copied: number; there: number; missing: number; bytes: number }

const atOnce = 4

/**
 * Copies every photo a row names and reads it back; may be stopped and run again, also while photos
 * are added. Throws StoreUnavailable, also when a store is another building's, and Error for a
 * copy that differs.
 */
export async function copyPhotos(from: PhotoStore, to: PhotoStore): Promise<Copied> {
  for (const store of [from, to])
    await ownership(store, { buildingId, findReferenced: referencedPhotos }).checkOwnedNow()
  const done: Copied = { copied: 0, there: 0, missing: 0, bytes: 0 }
  for (let after = ''; ; ) {
    const paths = await photoPathsAfter(after)
    if (paths.length === 0) return done
    const files = paths.flatMap((path) => [path, thumbnailOf(path)])
    await inTurns(files, async (path) => {
      const { what, bytes } = await copyFile(from, to, path)
      done[what] += 1
      done.bytes += bytes
    })
    after = paths.at(-1)!
  }
}

async function inTurns(paths: string[], act: (path: string) => Promise<void>): Promise<void> {
  const left = paths.values()
  const worker = async () => {
    for (const path of left) await act(path)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function copyFile(
  from: PhotoStore,
  to: PhotoStore,
  path: string,
): Promise<{ what: 'copied' | 'there' | 'missing'; bytes: number }> {
  const [original, copied] = await Promise.all([from.digest(path), to.digest(path)])
  if (original === null || original === copied)
    return { what: copied === null ? 'missing' : 'there', bytes: 0 }
  const file = await from.open(path)
  if (!file) return { what: 'missing', bytes: 0 }
  const bytes = Buffer.concat(await file.stream.toArray())
  await to.put(path, bytes)
  const copy = await to.open(path)
  if (bytes.length !== copy?.size || (await sha256([bytes])) !== (await sha256(copy.stream)))
    throw new Error(`The copy of ${path} is different: run the command again`)
  return { what: 'copied', bytes: bytes.length }
}

/** The next 500 paths rows name, in order; the empty path is before the first. */
async function photoPathsAfter(path: string): Promise<string[]> {
  const rows = await query<{ path: string }>(
    `select path from (
       (select path from photos where path > $1 order by path limit 500)
       union (select path from staged_photos where path > $1 order by path limit 500)
       union (select path from held_email_photos where path > $1 order by path limit 500)
     ) named order by path limit 500`,
    [path],
  )
  return rows.map((row) => row.path)
}

/** Which of these photo paths a row names, of whatever table. */
async function referencedPhotos(paths: string[]): Promise<Set<string>> {
  const rows = await query<{ path: string }>(
    `select path from photos where path = any ($1)
     union select path from staged_photos where path = any ($1)
     union select path from held_email_photos where path = any ($1)`,
    [paths],
  )
  return new Set(rows.map(({ path }) => path))
}
