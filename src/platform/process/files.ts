import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { log } from './log.js'

/** Bytes that are free for us on the disk of a folder; NaN where nobody can tell. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Number.NaN
  }
}

/** Makes a folder, for its owner alone, where there is none. Returns its path. */
export async function makePrivateFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

let hasWarned = false

/**
 * Removes files too old to be in use, such as those left by killed processes; of a folder with
 * others in it only those whose names match `pattern`. Returns how many. What cannot be deleted
 * stays, and the log says so once.
 */
export async function removeStaleFiles(folder: string, olderThanMs: number, pattern = /^/): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names.filter((each) => pattern.test(each))) {
    const file = path.join(folder, name)
    const stats = await stat(file).catch(() => null)
    if (!stats?.isFile() || Date.now() - stats.mtimeMs < olderThanMs) continue
    try {
      await rm(file, { force: true })
      removed += 1
    } catch (error) {
      if (!hasWarned) log.warn({ error, file }, 'an old file cannot be deleted')
      hasWarned = true
    }
  }
  return removed
}
