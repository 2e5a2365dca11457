import { open, readdir, rm, stat, statfs } from 'node:fs/promises'
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

/** A new name in the folder survives a power cut only after this. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

let said = false

/**
 * Removes files too old to be in use, such as those left by killed processes; of a folder with
 * others in it only those `named` so. Returns how many. What cannot be deleted stays, and the log
 * says so once.
 */
export async function removeStaleFiles(folder: string, olderThanMs: number, named = /^/): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names.filter((each) => named.test(each))) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (!found?.isFile() || Date.now() - found.mtimeMs < olderThanMs) continue
    try {
      await rm(file, { force: true })
      removed += 1
    } catch (error) {
      if (!said) log.warn({ error, file }, 'an old file cannot be deleted')
      said = true
    }
  }
  return removed
}
