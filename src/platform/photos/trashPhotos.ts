import { thumbnailOf } from './photoPath.js'
import { photoStore } from './photoStore.js'

/**
 * Takes photos out of use whose rows are gone: a copy of this database may still name them. Never
 * throws.
 */
export async function trashPhotos(photos: readonly { path: string }[]): Promise<void> {
  const files = photos.flatMap(({ path }) => [path, thumbnailOf(path)])
  await Promise.allSettled(files.map((file) => photoStore.move(file, 'trash')))
}
