import { config } from '../process/config.js'
import { localStorage } from './localStore.js'
import { thumbnailOf } from './photoFormat.js'
import { s3Storage } from './s3Store.js'
import type { PhotoStore } from './store.js'

/** The stores there are, by the word of `PHOTO_STORE`. */
type StoreName = typeof config.photoStore

/** A store by its name. Throws for `s3` without its settings. */
export function storeNamed(name: StoreName): PhotoStore {
  if (name === 'local') return localStorage(config.photoDir)
  if (!config.s3) throw new Error('S3_BUCKET: required, with the other S3_ variables')
  return s3Storage(config.s3)
}

/** Where this deployment keeps its photos. */
export const photoStore: PhotoStore = storeNamed(config.photoStore)

/** Moves photos whose rows are gone to the trash: a copy may still name them. Never throws. */
export async function trashPhotos(photos: readonly { path: string }[]): Promise<void> {
  const files = photos.flatMap(({ path }) => [path, thumbnailOf(path)])
  await Promise.allSettled(files.map((file) => photoStore.move(file, 'trash')))
}
