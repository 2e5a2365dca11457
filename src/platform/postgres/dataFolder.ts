import { createHash } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  stat,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Ids } from './runAs.js'

/** The private server's folders, as real paths, and how it may be placed. */
export type DataFolder = {
  dataDir: string
  /** our folder in the data folder: the cluster (or a link to it) and the log */
  own: string
  cluster: string
  log: string
  /**
   * folders for the cluster where the server's user cannot reach the data folder; permanent first
   */
  fallbacks: string[]
  /** the same for PostgreSQL's programs, which all data folders share */
  programFallbacks: string[]
  /** identifies this data folder in places outside it */
  hash: string
}

export type PlacementOptions = {
  /** replaces the system's folders as the parents of fallback folders */
  fallbackRoots?: string[] | undefined
}

/** Makes missing folders (0700). Throws when the disk does not allow it. */
export async function openDataFolder(
  path: string,
  { fallbackRoots = ['/var/lib', '/var/tmp'] }: PlacementOptions = {},
): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const dataDir = await realpath(resolve(path))
  const own = join(dataDir, 'postgres')
  await mkdir(own, { recursive: true, mode: 0o700 })
  await access(own, constants.W_OK)
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return {
    dataDir,
    own,
    hash,
    cluster: join(own, 'cluster'),
    log: join(own, 'server.log'),
    fallbacks: fallbackRoots.map((root) => join(root, `caretaker-${hash}`)),
    programFallbacks: fallbackRoots.map((root) => join(root, 'caretaker-programs')),
  }
}

/**
 * The first of these folders that we can have, for files PostgreSQL's user cannot reach where they
 * are. Everyone may pass through, only our user may change it; another user's is not accepted.
 */
export async function openFallbackFolder(folders: string[]): Promise<string> {
  for (const folder of folders) {
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
    if (!(await isOurs(folder))) continue
    await chmod(folder, 0o711)
    return realpath(folder)
  }
  throw new Error(
    `PostgreSQL's user can't access the data folder, and we can't create ${folders.join(' or ')}.`,
  )
}

/** Whether this process's user owns the folder and no one else may change it. */
export async function isOurs(folder: string): Promise<boolean> {
  const info = await lstat(folder).catch(() => undefined)
  return info?.isDirectory() === true && info.uid === process.getuid?.() && !(info.mode & 0o022)
}

const NOT_OURS =
  'is not ours to write: give it to the user who runs Caretaker, or set DATA_DIR to another folder'
const NO_FOLDER = 'is not a folder: set DATA_DIR to one'
const ADVICE: Record<string, string> = {
  EACCES: NOT_OURS,
  EPERM: NOT_OURS,
  EROFS: 'is on a read-only disk: set DATA_DIR to a folder that can be written',
  ENOENT: 'cannot be made, or was removed meanwhile: set DATA_DIR to a folder that can be written',
  ENOSPC: 'is on a full disk: make room and start again',
  EDQUOT: 'is on a disk whose quota is used up: make room and start again',
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
}

/** A file system error as a sentence with advice; any other error unchanged. */
export function inPlainWords(error: unknown, dataDir: string): unknown {
  const { message, code = '' } = error as NodeJS.ErrnoException
  // PostgreSQL's programs report a full disk only in their output.
  const isFull = /No space left on device|Disk quota exceeded/.test(message)
  const advice = ADVICE[isFull ? 'ENOSPC' : code]
  if (advice === undefined) return error
  return new Error(`The data folder ${resolve(dataDir)} ${advice}. (${message})`, { cause: error })
}

/** Whether the path exists, even as a dangling link. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Changes the owner of a folder and its content; empty ids change nothing. */
export async function chown({ uid, gid }: Ids, folder: string): Promise<void> {
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

/** Makes a rename in the folder survive a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** The folder itself comes last, so that an interrupted run is seen as unfinished. */
async function forEachIn(path: string, change: (path: string) => Promise<void>): Promise<void> {
  const entries = (await lstat(path)).isDirectory() ? await readdir(path) : []
  for (const name of entries) await forEachIn(join(path, name), change)
  await change(path)
}
