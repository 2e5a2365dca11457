import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isPhotoPath } from './photoPath.js'

/** The SHA-256 in hexadecimal of bytes or a stream, which is destroyed when it fails. */
export async function sha256(content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

/** `size` in bytes. The stream holds a file or a connection: read it to the end or destroy it. */
export type StoredFile = { stream: Readable; size: number }

/** Where files lie: those in use, and those that a sweep took out of use and removes later. */
export type Area = 'photos' | 'trash'

/** A file of an area; `since`: when it came there, in epoch milliseconds. */
export type ListedFile = { path: string; since: number }

/**
 * Stores photos and thumbnails under `isPhotoPath` paths (decisions 2.12, 5.7). Files never change
 * once written. Every method throws StoreUnavailable when the store fails.
 */
export type PhotoStore = {
  /**
   * Durable once resolved; after a failure nothing is visible at `path`, or all of it. RangeError
   * for any other path.
   */
  put(path: string, bytes: Buffer): Promise<void>
  /** Null when there is no such file. */
  open(path: string): Promise<StoredFile | null>
  /** The SHA-256 of a file, in hexadecimal; null when there is no such file. */
  digest(path: string): Promise<string | null>
  /** Idempotent. */
  remove(path: string, area?: Area): Promise<void>
  /** Moves a file to the other area, dated now; nothing when it is not there. */
  move(path: string, to: Area): Promise<void>
  /** Every file of an area, in no order. */
  list(area: Area): AsyncIterable<ListedFile>
  /** Removes half-written files of killed processes; returns how many. */
  removeTemporary(): Promise<number>
  /** Throws when no photo can be stored now (readiness). It writes: once a second at most. */
  check(): Promise<void>
  /** The id of the building the store belongs to; null when no one has claimed it. */
  owner(): Promise<string | null>
  /** Claims the store for a building, if no one has or `takeOver`; returns whose it is then. */
  claim(buildingId: string, takeOver?: boolean): Promise<string>
}

/**
 * Full, read-only, missing or broken: 503, nothing stored (decision 2.13). The cause names paths:
 * log only. `refusal`: the settings the store refuses, by name, in words for the operator.
 */
export class StoreUnavailable extends Error {
  readonly refusal: string | null

  constructor({ refusal = null, ...options }: ErrorOptions & { refusal?: string | null } = {}) {
    super('The photo store is not available', options)
    this.name = 'StoreUnavailable'
    this.refusal = refusal
  }
}

/**
 * Wraps a store so that paths that are not photo paths are refused by `put` and found absent by all
 * other methods: such a path can only come from a request or a planted file, so nothing is there to
 * read or to remove, while storing under one is a mistake of ours.
 */
export function onlyPhotoPaths(files: PhotoStore): PhotoStore {
  return {
    ...files,
    put: async (path, bytes) => {
      if (!isPhotoPath(path)) throw new RangeError('Not a photo path')
      await files.put(path, bytes)
    },
    open: async (path) => (isPhotoPath(path) ? files.open(path) : null),
    digest: async (path) => (isPhotoPath(path) ? files.digest(path) : null),
    remove: async (path, area) => (isPhotoPath(path) ? files.remove(path, area) : undefined),
    move: async (path, to) => (isPhotoPath(path) ? files.move(path, to) : undefined),
    list: (area) => photosAmong(files.list(area)),
  }
}

async function* photosAmong(files: AsyncIterable<ListedFile>): AsyncGenerator<ListedFile> {
  for await (const file of files) if (isPhotoPath(file.path)) yield file
}
