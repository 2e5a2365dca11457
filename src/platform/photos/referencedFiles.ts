import { photoOf } from './photoPath.js'
import type { Area, ListedFile, PhotoStore } from './store.js'

/** Which of at most 500 photo paths (a thumbnail goes with its photo) the database references. */
export type FindReferenced = (paths: string[]) => Promise<Set<string>>

/** A stored file, with whether the database references its photo. */
type CheckedFile = ListedFile & { isReferenced: boolean }

const batchSize = 500

/** The files of an area in batches, each with whether it is referenced. */
export async function* filesWithReferences(
  store: PhotoStore,
  area: Area,
  findReferenced: FindReferenced,
): AsyncGenerator<CheckedFile[]> {
  let batch: ListedFile[] = []
  const checkBatch = async () => {
    const referenced = await findReferenced([...new Set(batch.map(({ path }) => photoOf(path)))])
    return batch.map((file) => ({ ...file, isReferenced: referenced.has(photoOf(file.path)) }))
  }
  for await (const file of store.list(area)) {
    batch.push(file)
    if (batch.length < batchSize) continue
    yield await checkBatch()
    batch = []
  }
  if (batch.length > 0) yield await checkBatch()
}

/** More unknown photos than this, and than this share of all: it is the wrong database. */
const handful = 20
const share = 0.2

/** Whether so many photos are unknown to the database that something else must be wrong. */
export function areTooManyUnknown({ all, unknown }: { all: number; unknown: number }): boolean {
  return unknown > handful && unknown > share * all
}
