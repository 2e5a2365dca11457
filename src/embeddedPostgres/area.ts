import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { exists } from './trees.js'

/** The folders the private server lives in, as real paths. */
export type Area = {
  dataDir: string
  /** ours in the data folder: the cluster (or a link to it), who uses it, the log */
  folder: string
  cluster: string
  mutex: string
  leases: string
  log: string
  /** the port of the last server, taken again when it is free */
  port: string
  /** names this data folder in places outside of it */
  hash: string
}

/** System folders for what the server's user could not reach in the data folder, the lasting one first. */
const SHELTERS = ['/var/lib', '/var/tmp']

/** Makes the folders (0700) that are missing. Throws in plain words when the disk does not allow it. */
export async function openArea(dataDir: string): Promise<Area> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const real = await realpath(resolve(dataDir))
  const folder = join(real, 'postgres')
  const area = {
    dataDir: real,
    folder,
    cluster: join(folder, 'cluster'),
    mutex: join(folder, 'mutex'),
    leases: join(folder, 'leases'),
    log: join(folder, 'server.log'),
    port: join(folder, 'port'),
    hash: createHash('sha256').update(real).digest('hex').slice(0, 12),
  }
  for (const path of [area.folder, area.mutex, area.leases])
    await mkdir(path, { recursive: true, mode: 0o700 })
  return area
}

/**
 * The folder outside of the data folder, the same at every start, for what PostgreSQL's user cannot reach
 * there. Everyone may pass through, only this process' user may change it; someone else's is not taken.
 */
export async function openShelter(area: Area, roots: string[] = SHELTERS): Promise<string> {
  for (const folder of shelters(area, roots)) {
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
    if (!(await isOurs(folder))) continue
    await chmod(folder, 0o711)
    return realpath(folder)
  }
  throw new Error(
    `PostgreSQL's user cannot reach the data folder, nor could one be made in ${roots.join(' or ')}.`,
  )
}

/** The cluster an earlier start put into a shelter of this data folder. */
export async function findSheltered(area: Area, roots: string[] = SHELTERS): Promise<string | undefined> {
  for (const folder of shelters(area, roots)) {
    const cluster = join(folder, 'cluster')
    if ((await isOurs(folder)) && (await exists(cluster))) return cluster
  }
  return undefined
}

function shelters({ hash }: Area, roots: string[]): string[] {
  return roots.map((root) => join(root, `caretaker-${hash}`))
}

async function isOurs(folder: string): Promise<boolean> {
  const info = await lstat(folder).catch(() => undefined)
  return info?.isDirectory() === true && info.uid === process.getuid?.() && !(info.mode & 0o022)
}

const ADVICE: Record<string, string> = {
  EACCES: 'is not ours to write: give it to the user who runs Caretaker, or set DATA_DIR to another folder',
  EPERM: 'is not ours to write: give it to the user who runs Caretaker, or set DATA_DIR to another folder',
  EROFS: 'is on a read-only disk: set DATA_DIR to a folder that can be written',
  ENOENT: 'cannot be made, or was removed meanwhile: set DATA_DIR to a folder that can be written',
  ENOSPC: 'is on a full disk: make room and start again',
  EDQUOT: 'is on a disk whose quota is used up: make room and start again',
  ENOTDIR: 'is not a folder: set DATA_DIR to one',
  EEXIST: 'is not a folder: set DATA_DIR to one',
}

/** A file system error as a sentence which says what to do; any other error as it is. */
export function inPlainWords(error: unknown, dataDir: string): unknown {
  const { message, code = '' } = error as NodeJS.ErrnoException
  const advice = ADVICE[isDiskFull(message) ? 'ENOSPC' : code]
  if (advice === undefined) return error
  return new Error(`The data folder ${resolve(dataDir)} ${advice}. (${message})`, { cause: error })
}

/** PostgreSQL's programs report it in their output only. */
function isDiskFull(message: string): boolean {
  return /No space left on device|Disk quota exceeded/.test(message)
}
