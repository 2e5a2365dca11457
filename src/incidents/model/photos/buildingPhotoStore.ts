import { buildingId } from '../../../building/building.js'
import { query } from '../../../platform/db/database.js'
import { sendingPaused } from '../../../platform/outbox/sendingPaused.js'
import { photoStore } from '../../../platform/photos/configuredStore.js'
import { NotOurStore, ownership } from '../../../platform/photos/ownership.js'
import { type PhotoStore, StoreUnavailable } from '../../../platform/photos/store.js'
import { noteStoreFault, noteStoreWell } from '../../../platform/photos/storeFault.js'
import { type Swept, sweepOrphans } from '../../../platform/photos/sweep.js'

const hour = 3_600_000

/** Whether a store belongs to this building, by the mark in it and by the photos that rows name. */
export const ownershipOf = (store: PhotoStore) =>
  ownership(store, { buildingId, findReferenced: referencedPhotos })

const storeOwnership = ownershipOf(photoStore)

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
export async function whyNoSweep(): Promise<string | null> {
  const why = (await sendingPaused())?.why
  if (why === 'moved') return 'this building has moved, and the new one may live on these photos'
  if (why === 'restored')
    return 'this building is a copy, and the original may live on these photos: npm run sending -- resume says that it is not'
  return null
}

/**
 * Takes photos no row names out of use (`sweepOrphans`). Throws StoreUnavailable when the store
 * is away or another building's, and Error for a copy (`whyNoSweep`). With
 * `evenIfTooManyUnknown` however many they are.
 */
export async function sweepPhotos({ evenIfTooManyUnknown = false } = {}): Promise<Swept> {
  const why = await whyNoSweep()
  if (why) throw new Error(`No photos were removed: ${why}`)
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
  const why = await whyNoSweep()
  if (why) return { orphanedPhotos: 0, photosLeftAlone: why }
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
