import { chmod, lchown, lstat, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ids } from './runAs.js'

/** Whether the path exists, even as a dangling link. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** The text of a file; empty when it cannot be read. */
export async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

/** Changes the owner of a folder and its content; empty ids change nothing. */
export async function chownTree(folder: string, { uid, gid }: Ids): Promise<void> {
  if (uid === undefined || gid === undefined) return
  await forEachIn(folder, (path) => lchown(path, uid, gid))
}

/**
 * Makes a folder and its content readable for every user, and runnable where the owner may run it.
 */
export async function openForReading(folder: string): Promise<void> {
  await forEachIn(folder, async (path) => {
    const info = await lstat(path)
    if (!info.isSymbolicLink()) await chmod(path, info.mode | (info.mode & 0o100 ? 0o555 : 0o444))
  })
}

/** Lets one group pass through a folder that is closed to all groups; leaves an open one alone. */
export async function openForPassing(folder: string, gid: number): Promise<void> {
  const { mode, uid } = await stat(folder)
  if (mode & 0o077) return
  await lchown(folder, uid, gid)
  await chmod(folder, (mode & 0o777) | 0o010)
}

/** Removes every entry whose name starts with `start`. */
export async function removeStarting(folder: string, start: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(start))
  await Promise.all(
    names.map((name) => rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })),
  )
}

/** The folder itself comes last, so that an interrupted run is seen as unfinished. */
async function forEachIn(path: string, change: (path: string) => Promise<void>): Promise<void> {
  const entries = (await lstat(path)).isDirectory() ? await readdir(path) : []
  for (const name of entries) await forEachIn(join(path, name), change)
  await change(path)
}
