import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { localFiles } from './localStorage.js'

/** `size` in bytes. The stream holds an open file: read it to the end or destroy it. */
export type StoredFile = { stream: Readable; size: number }

/**
 * Where photos and thumbnails are kept, under paths of `isPhotoPath` shape (decisions 2.12, 5.7). A file never changes
 * once written. Every method throws StorageUnavailable when the store cannot serve.
 */
export type PhotoStore = {
  /** Durable when it returns; when it throws nothing is visible under `path`. RangeError for any other path. */
  put(path: string, bytes: Buffer): Promise<void>
  /** null when there is none. */
  open(path: string): Promise<StoredFile | null>
  /** Idempotent. */
  remove(path: string): Promise<void>
  /** Throws when a photo could not be stored right now (readiness). Writes: poll it no faster than every second. */
  check(): Promise<void>
  /** Removes what killed processes left half-written and what nobody knows; answers how many files. */
  sweepOrphans(options: SweepOptions): Promise<number>
}

/**
 * `known` is asked about at most 500 photos at a time, by photo path (a thumbnail is known by its photo's), and answers
 * those still referred to. `olderThanMs` must outlast the longest time between `put` and the commit that refers to it.
 */
export type SweepOptions = { olderThanMs: number; known: (paths: string[]) => Promise<Set<string>> }

/** Full, read-only, gone or broken: answered 503, nothing stored (decision 2.13). The cause names paths: log only. */
export class StorageUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('The photo store is not available', options)
    this.name = 'StorageUnavailable'
  }
}

const photoPath = /^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}\.jpg(?:\.thumb\.jpg)?$/
const sweepBatch = 500

/** A path nobody can guess: 128 random bits in hexadecimal, fanned out over two folders, e.g. "3f/9a/3f9a….jpg". */
export function newPhotoPath(): string {
  const name = randomBytes(16).toString('hex')
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.jpg`
}

/** Where the thumbnail of a photo is (spec: suffix `.thumb.jpg`). */
export const thumbnailOf = (path: string): string => `${path}.thumb.jpg`

/** Exactly what `newPhotoPath` and `thumbnailOf` make; nothing else reaches the disk. */
export function isPhotoPath(path: string): boolean {
  return photoPath.test(path)
}

/** Stores both pictures or neither (decision 2.13). */
export async function putPhoto(
  store: PhotoStore,
  path: string,
  pictures: { photo: Buffer; thumbnail: Buffer },
): Promise<void> {
  try {
    await store.put(thumbnailOf(path), pictures.thumbnail)
    await store.put(path, pictures.photo)
  } catch (error) {
    // A store that just failed may fail again: the sweep of orphans is the second chance.
    await removePhoto(store, path).catch(() => undefined)
    throw error
  }
}

/** Removes a photo and its thumbnail. Idempotent. */
export async function removePhoto(store: PhotoStore, path: string): Promise<void> {
  await store.remove(path)
  await store.remove(thumbnailOf(path))
}

/** Photos in a folder of this machine, made on demand; for one machine only (decision 5.7). */
export function localStorage(root: string): PhotoStore {
  const files = localFiles(root)
  return {
    put: async (path, bytes) => {
      if (!isPhotoPath(path)) throw new RangeError('Not a photo path')
      await available(files.put(path, bytes))
    },
    open: async (path) => (isPhotoPath(path) ? available(files.open(path)) : null),
    remove: async (path) => (isPhotoPath(path) ? available(files.remove(path)) : undefined),
    check: () => available(files.check()),
    sweepOrphans: async ({ olderThanMs, known }) => {
      const removed = await available(files.removeTemporary())
      return removed + (await sweep(files, olderThanMs, known))
    },
  }
}

type LocalFiles = ReturnType<typeof localFiles>

async function sweep(files: LocalFiles, olderThanMs: number, known: SweepOptions['known']): Promise<number> {
  let removed = 0
  for await (const batch of batches(files.olderThan(olderThanMs))) {
    const referredTo = await known([...new Set(batch.map(photoOf))])
    const orphans = batch.filter((path) => !referredTo.has(photoOf(path)))
    for (const path of orphans) await available(files.remove(path))
    removed += orphans.length
  }
  return removed
}

const photoOf = (path: string) => path.replace(/\.thumb\.jpg$/, '')

async function* batches(paths: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  try {
    for await (const path of paths) {
      if (isPhotoPath(path)) batch.push(path)
      if (batch.length < sweepBatch) continue
      yield batch
      batch = []
    }
  } catch (cause) {
    throw unavailable(cause)
  }
  if (batch.length > 0) yield batch
}

async function available<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause) => {
    throw unavailable(cause)
  })
}

function unavailable(cause: unknown): unknown {
  const fromSystem = cause instanceof Error && 'syscall' in cause
  return fromSystem ? new StorageUnavailable({ cause }) : cause
}
