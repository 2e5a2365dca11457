import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, opendir, rename, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

const folderMode = 0o750
const fileMode = 0o640
/** A temporary file this old belongs to no living write. */
const longestWriteMs = 60 * 60 * 1000
const fanOut = /^[0-9a-f]{2}$/

/**
 * Durable files, two folders deep, on this machine's disk; folders are made on demand. Paths are relative to it
 * and trusted: storage.ts lets none through but its own. Throws system errors.
 */
export function localFiles(folder: string) {
  const root = resolve(folder)
  const temporary = join(root, '.tmp')
  return {
    put: (path: string, bytes: Buffer) => put(root, temporary, path, bytes),
    open: (path: string) => openFile(join(root, path)),
    remove: (path: string) => remove(join(root, path)),
    check: () => check(root, temporary),
    olderThan: (ms: number) => filesOlderThan(root, '', Date.now() - ms),
    removeTemporary: () => removeTemporary(temporary),
  }
}

async function put(root: string, temporary: string, path: string, bytes: Buffer): Promise<void> {
  const target = join(root, path)
  let written = await writeTemporary(temporary, bytes)
  try {
    await mkdir(dirname(target), { recursive: true, mode: folderMode })
    await rename(written, target)
    written = target
    // Always all three: another process may have made one a moment ago and not have synchronised it yet.
    for (const folder of [dirname(target), dirname(dirname(target)), root]) await syncFolder(folder)
  } catch (error) {
    await remove(written).catch(() => undefined)
    throw error
  }
}

/** Synchronised, and on the volume of its destination: the rename that follows is atomic. */
async function writeTemporary(folder: string, bytes: Buffer): Promise<string> {
  await makeFolder(folder)
  const path = join(folder, randomBytes(16).toString('hex'))
  try {
    await writeAndSync(await open(path, 'wx', fileMode), bytes)
    return path
  } catch (error) {
    await remove(path).catch(() => undefined)
    throw error
  }
}

async function writeAndSync(file: FileHandle, bytes: Buffer): Promise<void> {
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: folderMode })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** A new name in a folder survives a power cut once the folder itself is synchronised. */
async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const handle = await open(folder, constants.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}

async function openFile(path: string): Promise<{ stream: Readable; size: number } | null> {
  // O_NOFOLLOW: a planted link must not publish another file. O_NONBLOCK: a planted pipe must not hang us.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await absentAsNull(open(path, flags), ['ENOENT', 'ELOOP'])
  const size = file && (await fileSize(file))
  return file && size !== null ? { stream: file.createReadStream(), size } : null
}

/** null, and closed, when this is a folder or a device. */
async function fileSize(file: FileHandle): Promise<number | null> {
  try {
    const stats = await file.stat()
    if (stats.isFile()) return stats.size
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return null
}

async function remove(path: string): Promise<void> {
  await absentAsNull(unlink(path))
}

/** The write proves space and permission; `access` proves that new folders can be made beside `.tmp`. */
async function check(root: string, temporary: string): Promise<void> {
  await remove(await writeTemporary(temporary, Buffer.alloc(4096)))
  await access(root, constants.W_OK | constants.X_OK)
}

/** Relative paths, one folder open per level. Follows no links and enters no folder that is not part of the fan-out. */
async function* filesOlderThan(root: string, below: string, before: number): AsyncGenerator<string> {
  for await (const entry of (await absentAsNull(opendir(join(root, below)))) ?? []) {
    const path = below + entry.name
    if (entry.isDirectory() && fanOut.test(entry.name)) yield* filesOlderThan(root, `${path}/`, before)
    else if (entry.isFile() && (await isOlder(join(root, path), before))) yield path
  }
}

async function isOlder(path: string, before: number): Promise<boolean> {
  const stats = await absentAsNull(lstat(path))
  return stats !== null && stats.mtimeMs < before
}

async function removeTemporary(temporary: string): Promise<number> {
  let removed = 0
  for await (const name of filesOlderThan(temporary, '', Date.now() - longestWriteMs)) {
    await remove(join(temporary, name))
    removed += 1
  }
  return removed
}

async function absentAsNull<T>(work: Promise<T>, codes = ['ENOENT']): Promise<T | null> {
  return work.catch((error) => {
    if (codes.includes(error.code)) return null
    throw error
  })
}
