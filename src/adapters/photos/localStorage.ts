import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, opendir, rename, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

const folderMode = 0o750
const fileMode = 0o640
/** No write takes this long, so an older temporary file was abandoned. */
const longestWriteMs = 60 * 60 * 1000
const fanOut = /^[0-9a-f]{2}$/

/**
 * Durable files on this machine's disk, two folders deep, made on demand. Paths are relative and trusted:
 * storage.ts passes only its own. Throws system errors.
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
    // All three every time: another process may have just made one and not yet synchronised it.
    for (const folder of [dirname(target), dirname(dirname(target)), root]) await syncFolder(folder)
  } catch (error) {
    await remove(written).catch(() => undefined)
    throw error
  }
}

/** Synchronised, and on the same volume as its target, so that the following rename is atomic. */
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

/** A new name survives a power cut only once its folder is synchronised. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders.
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

/** Null, and closed, for a folder or a device. */
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

/** The write proves space and permission; `access` that folders can be made beside `.tmp`. */
async function check(root: string, temporary: string): Promise<void> {
  await remove(await writeTemporary(temporary, Buffer.alloc(4096)))
  await access(root, constants.W_OK | constants.X_OK)
}

/** Relative paths, one open folder per level. Follows no links; enters only folders of our own naming. */
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
