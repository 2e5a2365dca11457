import { buildingId } from '../../building/buildingId.js'
import { ownership } from '../../platform/photos/ownership.js'
import { thumbnailOf } from '../../platform/photos/photoFormat.js'
import { type PhotoStore, sha256 } from '../../platform/photos/storage.js'
import { knownPhotos, photoPathsAfter } from './queries.js'

/** Files copied, files found there already, files that neither store has; bytes copied. */
export type Copied = { copied: number; there: number; missing: number; bytes: number }

const atOnce = 4

/**
 * Copies every photo a row names and reads it back; may be stopped and run again, also while photos
 * are added. Throws StorageUnavailable, also when a store is another building's, and Error for a
 * copy that differs.
 */
export async function copyPhotos(from: PhotoStore, to: PhotoStore): Promise<Copied> {
  for (const store of [from, to]) await ownership(store, { buildingId, known: knownPhotos }).requireNow()
  const done: Copied = { copied: 0, there: 0, missing: 0, bytes: 0 }
  for (let after = ''; ; ) {
    const paths = await photoPathsAfter(after)
    if (paths.length === 0) return done
    const files = paths.flatMap((path) => [path, thumbnailOf(path)])
    await inTurns(files, async (path) => {
      const { what, bytes } = await copyFile(from, to, path)
      done[what] += 1
      done.bytes += bytes
    })
    after = paths.at(-1)!
  }
}

async function inTurns(paths: string[], act: (path: string) => Promise<void>): Promise<void> {
  const left = paths.values()
  const worker = async () => {
    for (const path of left) await act(path)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function copyFile(
  from: PhotoStore,
  to: PhotoStore,
  path: string,
): Promise<{ what: 'copied' | 'there' | 'missing'; bytes: number }> {
  const [wanted, found] = await Promise.all([from.digest(path), to.digest(path)])
  if (wanted === null || wanted === found) return { what: found === null ? 'missing' : 'there', bytes: 0 }
  const file = await from.open(path)
  if (!file) return { what: 'missing', bytes: 0 }
  const bytes = Buffer.concat(await file.stream.toArray())
  await to.put(path, bytes)
  const copy = await to.open(path)
  if (bytes.length !== copy?.size || (await sha256([bytes])) !== (await sha256(copy.stream)))
    throw new Error(`The copy of ${path} is different: run the command again`)
  return { what: 'copied', bytes: bytes.length }
}
