import { photoStore } from './configuredStore.js'
import { thumbnailOf } from './photoPath.js'
import type { PhotoStore } from './store.js'

/** Stores a photo and its thumbnail, or neither (decision 2.13). */
export async function putPhoto(
  store: PhotoStore,
  path: string,
  { photo, thumbnail }: { photo: Buffer; thumbnail: Buffer },
): Promise<void> {
  try {
    await store.put(thumbnailOf(path), thumbnail)
    await store.put(path, photo)
  } catch (error) {
    // A store that just failed may fail again: then the sweep of orphans removes it.
    await removePhoto(store, path).catch(() => undefined)
    throw error
  }
}

/** Removes a photo and its thumbnail. Idempotent. */
export async function removePhoto(store: PhotoStore, path: string): Promise<void> {
  await store.remove(path)
  await store.remove(thumbnailOf(path))
}

/** Moves photos whose rows are gone to the trash: a copy may still name them. Never throws. */
export async function trashPhotos(photos: readonly { path: string }[]): Promise<void> {
  const files = photos.flatMap(({ path }) => [path, thumbnailOf(path)])
  await Promise.allSettled(files.map((file) => photoStore.move(file, 'trash')))
}
