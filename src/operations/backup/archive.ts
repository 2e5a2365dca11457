import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { removeStaleFiles } from '../../platform/process/files.js'
import { syncFolder } from '../../platform/process/syncFolder.js'

/** A file in an archive, whole in memory. */
export type ArchiveEntry = { name: string; bytes: Buffer }

/** Adds a file to the archive being written; resolves when there is room for the next. */
export type AddEntry = (name: string, bytes: Buffer) => Promise<void>

/** Bytes of the largest entry that is read: a forged size must not fill the memory. */
const largestEntry = 128 * 1024 * 1024
/** Its owner alone: the archive holds password hashes and people's addresses. */
const mode = 0o600
/** What a killed process left: an archive that is still written was changed a moment ago. */
const partialName = /.\.[0-9a-f]{8}\.partial$/
const day = 24 * 60 * 60 * 1000

/** The archive cannot be read to its end. The message is a sentence for the operator. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged'
}

/**
 * Writes a gzipped tar file with what `fill` adds: under a temporary name until it is whole and
 * durable, so that no half file has the name. `path` null: standard output. Throws what `fill`
 * throws, and system errors. Returns what `fill` returns.
 */
export async function writeArchive<T>(path: string | null, fill: (add: AddEntry) => Promise<T>): Promise<T> {
  if (path === null) return packTo(process.stdout, fill)
  await removeStaleFiles(dirname(path), day, partialName)
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const target = createWriteStream(partial, { flags: 'wx', mode, flush: true })
  let result: T
  try {
    result = await packTo(target, fill)
    await rename(partial, path)
  } catch (error) {
    // It may still be opening: a file that appears after it was removed would stay.
    target.destroy()
    if (!target.closed) await new Promise<void>((resolve) => target.once('close', () => resolve()))
    await unlink(partial).catch(() => undefined)
    throw inWords(error, dirname(path))
  }
  await syncFolder(dirname(path))
  return result
}

/** What is wrong with the folder of an archive, by the system's code. */
const faults: Record<string, string> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is no folder',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a disk whose quota is used up',
  EROFS: 'is on a read-only file system',
  EACCES: 'may not be written to',
}

/** An error of the folder that the archive goes to, in words; any other as it is. */
function inWords(error: unknown, folder: string): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || !Object.hasOwn(faults, code)) return error
  return new Error(`No backup was made: the folder ${folder} ${faults[code]} (${code}).`, { cause: error })
}

async function packTo<T>(target: NodeJS.WritableStream, fill: (add: AddEntry) => Promise<T>): Promise<T> {
  const pack = tar.pack()
  const written = pipeline(pack, createGzip({ level: constants.Z_DEFAULT_COMPRESSION }), target)
  const failure = written.then(
    () => null,
    (error: Error) => error,
  )
  const mtime = new Date()
  try {
    const result = await fill(
      (name, bytes) =>
        new Promise((resolve, reject) => {
          const added = (error?: Error | null) => (error ? reject(error) : resolve())
          // Where the target fails, an entry on its way may also emit the error.
          pack.entry({ name, mode, mtime }, bytes, added).on('error', reject)
        }),
    )
    pack.finalize()
    await written
    return result
  } catch (error) {
    pack.destroy(error as Error)
    throw (await failure) ?? error
  }
}

/** Removes an archive that was only on its way. */
export const removeArchive = (path: string): Promise<void> => rm(path, { force: true })

/** Reads an archive entry by entry. Throws ArchiveDamaged, or a system error such as EACCES. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const file = await open(path).catch((error) => {
    throw error.code === 'ENOENT' ? new ArchiveDamaged(`There is no file ${path}.`) : error
  })
  const extract = tar.extract()
  const read = pipeline(file.createReadStream(), createGunzip(), extract)
  read.catch(() => undefined)
  try {
    for await (const entry of extract)
      yield { name: entry.header.name, bytes: await readWhole(entry, entry.header) }
    await read
  } catch (error) {
    throw asDamage(error)
  } finally {
    extract.destroy()
    await read.catch(() => undefined)
  }
}

async function readWhole(bytes: AsyncIterable<unknown>, { size }: tar.Header): Promise<Buffer> {
  if (size > largestEntry) throw new ArchiveDamaged('A file in the archive is too large.')
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Errors of zlib and tar-stream as one; those of the disk as they are. */
function asDamage(error: unknown): unknown {
  const fromDisk = error instanceof Error && 'syscall' in error
  if (fromDisk || error instanceof ArchiveDamaged) return error
  return new ArchiveDamaged('The file is no Caretaker backup, or is damaged or cut short.', { cause: error })
}
