import { createHash } from 'node:crypto'
import { access, chmod, constants, lstat, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The private server's folders, as real paths, and how it may be placed. */
export type DataFolder = {
  dataDir: string
  /** Our folder in the data folder: the cluster (or a link to it) and the log. */
  serverFolder: string
  cluster: string
  log: string
  /**
   * Folders for the cluster where the server's user cannot reach the data folder, the most lasting
   * one first.
   */
  fallbacks: string[]
  /** The same for PostgreSQL's programs, which all data folders share. */
  programFallbacks: string[]
  /** Identifies this data folder in places outside it. */
  hash: string
}

export type PlacementOptions = {
  /** Replaces the system's folders as the parents of fallback folders. */
  fallbackRoots?: string[] | undefined
}

/** Makes missing folders (0700). Throws when the disk does not allow it. */
export async function openDataFolder(
  path: string,
  { fallbackRoots = ['/var/lib', '/var/tmp'] }: PlacementOptions = {},
): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const dataDir = await realpath(resolve(path))
  const serverFolder = join(dataDir, 'postgres')
  await mkdir(serverFolder, { recursive: true, mode: 0o700 })
  await access(serverFolder, constants.W_OK)
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return {
    dataDir,
    serverFolder,
    hash,
    cluster: join(serverFolder, 'cluster'),
    log: join(serverFolder, 'server.log'),
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

const notOurs =
  'is not ours to write: give it to the user who runs Caretaker, or set DATA_DIR to another folder'
const noFolder = 'is not a folder: set DATA_DIR to one'
const adviceByCode: Record<string, string> = {
  EACCES: notOurs,
  EPERM: notOurs,
  EROFS: 'is on a read-only disk: set DATA_DIR to a folder that can be written',
  ENOENT: 'cannot be made, or was removed meanwhile: set DATA_DIR to a folder that can be written',
  ENOSPC: 'is on a full disk: make room and start again',
  EDQUOT: 'is on a disk whose quota is used up: make room and start again',
  ENOTDIR: noFolder,
  EEXIST: noFolder,
}

/** A file system error as a sentence with advice; any other error unchanged. */
export function explainFolderError(error: unknown, dataDir: string): unknown {
  const { message, code = '' } = error as NodeJS.ErrnoException
  // PostgreSQL's programs report a full disk only in their output.
  const isFull = /No space left on device|Disk quota exceeded/.test(message)
  const advice = adviceByCode[isFull ? 'ENOSPC' : code]
  if (advice === undefined) return error
  return new Error(`The data folder ${resolve(dataDir)} ${advice}. (${message})`, { cause: error })
}
