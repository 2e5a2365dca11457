import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { log } from '../ops/log.js'
import { thumbnailOf } from './photoFormat.js'
import { photoStore } from './photoStore.js'

/**
 * Takes photos out of use whose rows are gone: a copy of this database may still name them. Never
 * throws.
 */
export async function trashPhotos(photos: readonly { path: string }[]): Promise<void> {
  const files = photos.flatMap(({ path }) => [path, thumbnailOf(path)])
  await Promise.allSettled(files.map((file) => photoStore.move(file, 'trash')))
}

let said = false

/**
 * Deletes a file or folder, also one that is gone. False when it cannot be deleted, which the log
 * says once.
 */
export async function removeIfPossible(file: string): Promise<boolean> {
  try {
    await rm(file, { force: true, recursive: true })
    return true
  } catch (error) {
    if (!said) log.warn({ error, file }, 'an old file cannot be deleted')
    said = true
    return false
  }
}

/**
 * Removes files too old to be in use, left by killed processes, where it can; of a folder with
 * others in it only those `named` so. Returns how many.
 */
export async function removeStaleFiles(folder: string, olderThanMs: number, named = /^/): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const removed = await Promise.all(
    names
      .filter((name) => named.test(name))
      .map((name) => removeIfStale(path.join(folder, name), olderThanMs)),
  )
  return removed.filter(Boolean).length
}

async function removeIfStale(file: string, olderThanMs: number): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile() || Date.now() - found.mtimeMs < olderThanMs) return false
  return removeIfPossible(file)
}
