import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '../process/syncFolder.js'
import { ownerText, readOwner } from './ownership.js'
import { type ListedFile, onlyPhotoPaths, type PhotoStore, StoreUnavailable, sha256 } from './store.js'

const folderMode = 0o750
const fileMode = 0o640
/** No write takes this long, so an older temporary file was abandoned. */
const longestWriteMs = 60 * 60 * 1000
const fanOut = /^[0-9a-f]{2}$/

const trash = '.trash'

/** Photos in a folder, made on demand; for deployments on one machine (decision 5.7). */
export function localStore(folder: string): PhotoStore {
  const root = resolve(folder)
  const layout: Layout = { root, temporary: join(root, '.tmp'), owner: join(root, '.building') }
  const areas = { photos: root, trash: join(root, trash) }
  return onlyPhotoPaths({
    put: (path, bytes) => available(put(layout, path, bytes)),
    open: (path) => available(openFile(join(root, path))),
    digest: (path) =>
      available(openFile(join(root, path)).then((file) => (file ? sha256(file.stream) : null))),
    remove: (path, area = 'photos') => available(remove(join(areas[area], path))),
    move: (path, to) => available(move(areas[to === 'trash' ? 'photos' : 'trash'], areas[to], path)),
    list: (area) => listFiles(areas[area]),
    removeTemporary: () => available(removeTemporary(layout.temporary)),
    check: () => available(check(layout)),
    owner: () => available(ownerIn(layout)),
    claim: (buildingId, takeOver = false) => available(claim(layout, buildingId, { takeOver })),
  })
}

/** The folder of the store, the one for files being written, and the file that names the owner. */
type Layout = { root: string; temporary: string; owner: string }

async function put({ root, temporary }: Layout, path: string, bytes: Buffer): Promise<void> {
  const target = join(root, path)
  let draft = await writeTemporary(temporary, bytes)
  try {
    await mkdir(dirname(target), { recursive: true, mode: folderMode })
    await rename(draft, target)
    draft = target
    // All three every time: another process may have just made one and not yet synchronised it.
    for (const folder of [dirname(target), dirname(dirname(target)), root]) await syncFolder(folder)
  } catch (error) {
    await remove(draft).catch(() => undefined)
    throw error
  }
}

/** Synchronised, and on the same volume as its target, so that the following rename is atomic. */
async function writeTemporary(folder: string, bytes: Buffer): Promise<string> {
  await makeFolder(folder)
  const path = join(folder, randomBytes(16).toString('hex'))
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: fileMode, flush: true })
    return path
  } catch (error) {
    await remove(path).catch(() => undefined)
    throw error
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: folderMode })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Dated before it is moved: a kill in between leaves a young file for the next sweep. */
async function move(from: string, to: string, path: string): Promise<void> {
  const [source, target] = [join(from, path), join(to, path)]
  const now = new Date()
  if ((await absentAsNull(utimes(source, now, now).then(() => true))) === null) return
  await mkdir(dirname(target), { recursive: true, mode: folderMode })
  await absentAsNull(rename(source, target))
  for (const folder of [dirname(target), dirname(source)]) await syncFolder(folder)
}

async function ownerIn({ owner }: Layout): Promise<string | null> {
  const text = await absentAsNull(readFile(owner, 'utf8'))
  return text === null ? null : readOwner(text)
}

/** A link to a whole file: of two processes one makes it, and no one reads half of it. */
async function claim(
  layout: Layout,
  buildingId: string,
  { takeOver }: { takeOver: boolean },
): Promise<string> {
  const draft = await writeTemporary(layout.temporary, Buffer.from(ownerText(buildingId)))
  try {
    if (takeOver) await rename(draft, layout.owner)
    else await link(draft, layout.owner)
    await syncFolder(layout.root)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await remove(draft)
  }
  return (await ownerIn(layout))!
}

async function openFile(path: string): Promise<{ stream: Readable; size: number } | null> {
  // A planted link must not publish another file, and a planted pipe must not hang us.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await absentAsNull(open(path, flags), ['ENOENT', 'ELOOP'])
  if (!file) return null
  const stats = await file.stat().catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  if (stats.isFile()) return { stream: file.createReadStream(), size: stats.size }
  // A folder or a device.
  await file.close()
  return null
}

async function remove(path: string): Promise<void> {
  await absentAsNull(unlink(path))
}

/** The write proves space and permission; `access` that folders can be made beside `.tmp`. */
async function check({ root, temporary }: Layout): Promise<void> {
  await remove(await writeTemporary(temporary, Buffer.alloc(4096)))
  await access(root, constants.W_OK | constants.X_OK)
}

/** Relative paths. Follows no links; enters only folders of our own naming. */
async function* filesIn(root: string, below = ''): AsyncGenerator<ListedFile> {
  for await (const entry of (await absentAsNull(opendir(join(root, below)))) ?? []) {
    const path = below + entry.name
    if (entry.isDirectory() && fanOut.test(entry.name)) yield* filesIn(root, `${path}/`)
    else if (entry.isFile()) yield* withDate(root, path)
  }
}

async function* withDate(root: string, path: string): AsyncGenerator<ListedFile> {
  const stats = await absentAsNull(lstat(join(root, path)))
  if (stats) yield { path, since: stats.mtimeMs }
}

async function* listFiles(root: string): AsyncGenerator<ListedFile> {
  try {
    yield* filesIn(root)
  } catch (cause) {
    throw unavailable(cause)
  }
}

async function removeTemporary(temporary: string): Promise<number> {
  let removed = 0
  for await (const { path, since } of filesIn(temporary)) {
    if (since > Date.now() - longestWriteMs) continue
    await remove(join(temporary, path))
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

async function available<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause) => {
    throw unavailable(cause)
  })
}

function unavailable(cause: unknown): unknown {
  const fromSystem = cause instanceof Error && 'syscall' in cause
  return fromSystem ? new StoreUnavailable({ cause }) : cause
}
