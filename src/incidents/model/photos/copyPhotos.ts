import { query } from '../../../platform/db/database.js'
import { thumbnailOf } from '../../../platform/photos/photoPath.js'
import { type PhotoStore, sha256 } from '../../../platform/photos/store.js'
import { ownershipOf } from './buildingPhotoStore.js'

/** Files copied, files found there already, files that neither store has; bytes copied. */
type Copied = { copied: number; there: number; missing: number; bytes: number }

/** Files copied at the same time. */
const copiesAtOnce = 4

/**
 * Copies every photo a row names and reads it back; may be stopped and run again, also while photos
 * are added. Throws StoreUnavailable, also when a store is another building's, and Error for a
 * copy that differs.
 */
export async function copyPhotos(from: PhotoStore, to: PhotoStore): Promise<Copied> {
  for (const store of [from, to]) await ownershipOf(store).checkOwnedNow()
  const done: Copied = { copied: 0, there: 0, missing: 0, bytes: 0 }
  for (let after = ''; ; ) {
    const paths = await photoPathsAfter(after)
    if (paths.length === 0) return done
    const files = paths.flatMap((path) => [path, thumbnailOf(path)])
    await inParallel(files, async (path) => {
      const { what, bytes } = await copyFile(from, to, path)
      done[what] += 1
      done.bytes += bytes
    })
    after = paths.at(-1)!
  }
}

async function inParallel(paths: string[], act: (path: string) => Promise<void>): Promise<void> {
  const queue = paths.values()
  const worker = async () => {
    for (const path of queue) await act(path)
  }
  await Promise.all(Array.from({ length: copiesAtOnce }, worker))
}

async function copyFile(
  from: PhotoStore,
  to: PhotoStore,
  path: string,
): Promise<{ what: 'copied' | 'there' | 'missing'; bytes: number }> {
  const [original, copied] = await Promise.all([from.digest(path), to.digest(path)])
  if (original === null || original === copied)
    return { what: copied === null ? 'missing' : 'there', bytes: 0 }
  const file = await from.open(path)
  if (!file) return { what: 'missing', bytes: 0 }
  const bytes = Buffer.concat(await file.stream.toArray())
  await to.put(path, bytes)
  const copy = await to.open(path)
  if (bytes.length !== copy?.size || (await sha256([bytes])) !== (await sha256(copy.stream)))
    throw new Error(`The copy of ${path} is different: run the command again`)
  return { what: 'copied', bytes: bytes.length }
}

/** The next 500 paths rows name, in order; the empty path is before the first. */
async function photoPathsAfter(path: string): Promise<string[]> {
  const rows = await query<{ path: string }>(
    `select path from (
       (select path from photos where path > $1 order by path limit 500)
       union (select path from staged_photos where path > $1 order by path limit 500)
       union (select path from held_email_photos where path > $1 order by path limit 500)
     ) named order by path limit 500`,
    [path],
  )
  return rows.map((row) => row.path)
}
