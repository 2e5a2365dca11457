import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { removeIfPossible } from '../system/removal.js'

/** Removes uploads too old to be in use, left by killed processes, where it can. Returns how many. */
export async function removeStaleUploads(folder: string, olderThanMs: number): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const removed = await Promise.all(names.map((name) => removeIfStale(path.join(folder, name), olderThanMs)))
  return removed.filter(Boolean).length
}

async function removeIfStale(file: string, olderThanMs: number): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  if (!found || Date.now() - found.mtimeMs < olderThanMs) return false
  return removeIfPossible(file)
}
