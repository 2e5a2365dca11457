import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { localFiles } from './localStorage.js'

/** `size` in bytes. The stream holds an open file: read it to the end or destroy it. */
export type StoredFile = { stream: Readable; size: number }

/**
 * Stores photos and thumbnails under `isPhotoPath` paths (decisions 2.12, 5.7). Files never change once
 * written. Every method throws StorageUnavailable when the store fails.
 */
export type PhotoStore = {
  /** Durable once resolved; after a failure nothing is visible at `path`. RangeError for any other path. */
  put(path: string, bytes: Buffer): Promise<void>
  /** Null when there is no such file. */
  open(path: string): Promise<StoredFile | null>
  /** Idempotent. */
  remove(path: string): Promise<void>
  /** Throws when no photo can be stored now (readiness). It writes, so call it once a second at most. */
  check(): Promise<void>
  /** Removes half-written files of killed processes and unreferenced photos; returns how many files. */
  sweepOrphans(options: SweepOptions): Promise<number>
}

/**
 * `known` returns which of at most 500 photo paths (a thumbnail goes with its photo) are still referenced.
 * `olderThanMs` must exceed the longest time from `put` to the commit that references it.
 */
export type SweepOptions = { olderThanMs: number; known: (paths: string[]) => Promise<Set<string>> }

/**
 * Full, read-only, missing or broken: 503, nothing stored (decision 2.13). The cause names paths: log only.
 */
export class StorageUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('The photo store is not available', options)
    this.name = 'StorageUnavailable'
  }
}

const photoPath = /^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}\.jpg(?:\.thumb\.jpg)?$/
const sweepBatch = 500

/** An unguessable path: 128 random bits in hexadecimal, in two levels of folders, e.g. "3f/9a/3f9a….jpg". */
export function newPhotoPath(): string {
  const name = randomBytes(16).toString('hex')
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.jpg`
}

/** The path of a photo's thumbnail (spec: suffix `.thumb.jpg`). */
export const thumbnailOf = (path: string): string => `${path}.thumb.jpg`

/** Exactly the paths of `newPhotoPath` and `thumbnailOf`; no other reaches the disk. */
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

/** Photos in a folder, made on demand; for deployments on one machine (decision 5.7). */
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
