import { config } from '../process/config.js'
import { localStore } from './localStore.js'
import { s3Store } from './s3Store.js'
import type { PhotoStore } from './store.js'

/** The stores there are, by the word of `PHOTO_STORE`. */
type StoreName = typeof config.photoStore

/** A store by its name. Throws for `s3` without its settings. */
export function storeNamed(name: StoreName): PhotoStore {
  if (name === 'local') return localStore(config.photoDir)
  if (!config.s3) throw new Error('S3_BUCKET: required, with the other S3_ variables')
  return s3Store(config.s3)
}

/** Where this deployment keeps its photos. */
export const photoStore: PhotoStore = storeNamed(config.photoStore)
