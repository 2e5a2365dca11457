import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { encryptionHeaders, s3Client, s3List } from '../../platform/photos/s3Client.js'
import type { S3Settings } from '../../platform/process/config.js'

/** Archives of ours by their dated names, which sort by time; no other file is ever removed. */
const dated = /^caretaker-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz$/
const prefix = 'backups/'
/** Milliseconds without progress until an upload counts as failed. */
const patience = 60_000

/** The name of an archive that is made now: `caretaker-2026-11-27T193000Z.tar.gz`. */
export function datedName(prefix: string, at = new Date()): string {
  return `${prefix}-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`
}

/** Where an archive goes: under a dated name into a folder that exists, or to the named file. */
export async function archivePath(target: string): Promise<string> {
  const isFolder = await stat(target).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  return path.resolve(isFolder ? path.join(target, datedName('caretaker')) : target)
}

/** The archives of ours among these names, without the newest `keep`. */
const olderThanNewest = (names: string[], keep: number) =>
  names
    .filter((name) => dated.test(name))
    .sort()
    .slice(0, -keep)

/** Removes all but the newest `keep` dated archives of a folder; returns the names it removed. */
export async function keepNewest(folder: string, keep: number): Promise<string[]> {
  const old = olderThanNewest(await readdir(folder), keep)
  for (const name of old) await rm(path.join(folder, name), { force: true })
  return old
}

/**
 * Copies an archive into the bucket, under `backups/`, and removes all but the newest `keep` there
 * (null: none). Returns its key and the names removed. Throws the store's own error.
 */
export async function putOffsite(
  settings: S3Settings,
  file: string,
  keep: number | null,
): Promise<{ key: string; removed: string[] }> {
  const { ask, close } = s3Client(settings, patience)
  try {
    const key = prefix + path.basename(file)
    await ask({
      method: 'PUT',
      key,
      body: { size: (await stat(file)).size, open: () => createReadStream(file) },
      headers: { 'content-type': 'application/gzip', ...encryptionHeaders(settings) },
    })
    if (keep === null) return { key, removed: [] }
    const names: string[] = []
    for await (const object of s3List(ask, prefix)) names.push(object.key.slice(prefix.length))
    const old = olderThanNewest(names, keep)
    for (const name of old) await ask({ method: 'DELETE', key: prefix + name })
    return { key, removed: old }
  } finally {
    close()
  }
}
