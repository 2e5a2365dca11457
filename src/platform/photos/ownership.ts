import { log } from '../process/log.js'
import { photoOf } from './photoFormat.js'
import { type Area, type ListedFile, type PhotoStore, StorageUnavailable } from './store.js'

/** A building's id as a store keeps it: one line, so that people can read it. */
export const ownerText = (buildingId: string): string => `${buildingId}\n`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id in a store's file; of other content the start, which shows that it is not ours. */
export function readOwner(text: string): string {
  const id = text.trim()
  return uuid.test(id) ? id : `unreadable: ${id.slice(0, 40)}`
}

/** Why this database may not use a store: in words for the operator, without a path. */
export class NotOurStore extends Error {
  readonly code: 'other_building' | 'unclaimed'

  constructor(code: 'other_building' | 'unclaimed') {
    super(
      code === 'other_building'
        ? 'the photo store belongs to another building'
        : 'the photo store belongs to no database, and most photos in it are unknown to this database',
    )
    this.name = 'NotOurStore'
    this.code = code
  }
}

/** What a database says of its photos. */
type Ours = { buildingId: () => Promise<string>; known: FindReferenced }

/** Milliseconds until the owner of the store is looked at again. */
const goodFor = 60_000

/** Photos looked at before a store without an owner is claimed. */
const sample = 1_000

/**
 * The bond of a store and a database: `require` claims a store that is no one's and throws
 * StorageUnavailable, caused by NotOurStore, when it is not ours; `adopt` takes it over whatever it
 * is.
 */
export function ownership(store: PhotoStore, { buildingId, known }: Ours) {
  let seen = Number.NEGATIVE_INFINITY

  async function requireNow(): Promise<void> {
    const id = await buildingId()
    const owner = (await store.owner()) ?? (await claimUnowned(id))
    if (owner !== id) throw notOurs('other_building')
    seen = performance.now()
  }

  async function claimUnowned(id: string): Promise<string> {
    if (areTooMany(await countSample(store, known))) throw notOurs('unclaimed')
    return store.claim(id)
  }

  return {
    /** Again, as a sweep must; `store` may have changed since the last look. */
    requireNow,
    async require(): Promise<void> {
      if (performance.now() - seen > goodFor) await requireNow()
    },
    /** Makes the store this database's. Counts the photos of a sample, and those unknown to it. */
    async adopt(): Promise<{ adopted: string; photos: number; unknown: number }> {
      const { all, unknown } = await countSample(store, known)
      return { adopted: await store.claim(await buildingId(), true), photos: all, unknown }
    },
  }
}

function notOurs(code: NotOurStore['code']): StorageUnavailable {
  const cause = new NotOurStore(code)
  log.warn({ code }, `${cause.message}: npm run photos -- --adopt makes it this database's`)
  return new StorageUnavailable({ cause })
}

async function countSample(
  store: PhotoStore,
  known: FindReferenced,
): Promise<{ all: number; unknown: number }> {
  const photos = { all: new Set<string>(), unknown: new Set<string>() }
  for await (const batch of batches(store, 'photos', known)) {
    for (const file of batch) {
      photos.all.add(photoOf(file.path))
      if (!file.known) photos.unknown.add(photoOf(file.path))
    }
    if (photos.all.size >= sample) break
  }
  return { all: photos.all.size, unknown: photos.unknown.size }
}

/** Which of at most 500 photo paths (a thumbnail goes with its photo) are still referenced. */
export type FindReferenced = (paths: string[]) => Promise<Set<string>>

/**
 * `olderThanMs` must exceed the longest time from `put` to the commit that references it.
 * `anyShare`: however many of the files no one knows.
 */
export type SweepOptions = { olderThanMs: number; known: FindReferenced; anyShare?: boolean }

/** Files moved to the trash, brought back, removed from it, and left alone as too many. */
export type Swept = { orphaned: number; restored: number; removed: number; refused: number }

const batchSize = 500
/** Milliseconds that a file stays in the trash. */
const trashTime = 30 * 24 * 3_600_000
/** More unknown photos than this, and than this share of all: it is the wrong database. */
const handful = 20
const share = 0.2

/**
 * Moves photos no one knows to the trash, brings back what is known after all, and removes what has
 * lain there for 30 days. Refuses when most are unknown, and logs it. Throws StorageUnavailable.
 */
export async function sweepOrphans(store: PhotoStore, options: SweepOptions): Promise<Swept> {
  await store.removeTemporary()
  return { ...(await orphansToTrash(store, options)), ...(await emptyTrash(store, options.known)) }
}

async function orphansToTrash(store: PhotoStore, { olderThanMs, known, anyShare = false }: SweepOptions) {
  const before = Date.now() - olderThanMs
  const orphans: string[] = []
  const photos = { all: 0, unknown: 0 }
  for await (const batch of batches(store, 'photos', known)) {
    const old = batch.filter(({ since }) => since < before)
    const unknown = old.filter((file) => !file.known)
    orphans.push(...unknown.map(({ path }) => path))
    photos.all += distinct(old)
    photos.unknown += distinct(unknown)
  }
  if (!anyShare && areTooMany(photos)) {
    log.warn(photos, 'most photos in the store are unknown to this database: none were taken out of use')
    return { orphaned: 0, refused: orphans.length }
  }
  for (const path of orphans) await store.move(path, 'trash')
  return { orphaned: orphans.length, refused: 0 }
}

async function emptyTrash(store: PhotoStore, known: FindReferenced) {
  const counts = { restored: 0, removed: 0 }
  const before = Date.now() - trashTime
  for await (const batch of batches(store, 'trash', known)) {
    for (const file of batch) {
      if (file.known) {
        await store.move(file.path, 'photos')
        counts.restored += 1
      } else if (file.since < before) {
        await store.remove(file.path, 'trash')
        counts.removed += 1
      }
    }
  }
  return counts
}

/** Whether so many photos are unknown that something else must be wrong. */
function areTooMany({ all, unknown }: { all: number; unknown: number }): boolean {
  return unknown > handful && unknown > share * all
}

const distinct = (files: { path: string }[]) => new Set(files.map(({ path }) => photoOf(path))).size

/** The files of an area, with whether they are known. */
export async function* batches(
  store: PhotoStore,
  area: Area,
  known: FindReferenced,
): AsyncGenerator<(ListedFile & { known: boolean })[]> {
  let batch: ListedFile[] = []
  const checkBatch = async () => {
    const referredTo = await known([...new Set(batch.map(({ path }) => photoOf(path)))])
    return batch.map((file) => ({ ...file, known: referredTo.has(photoOf(file.path)) }))
  }
  for await (const file of store.list(area)) {
    batch.push(file)
    if (batch.length < batchSize) continue
    yield await checkBatch()
    batch = []
  }
  if (batch.length > 0) yield await checkBatch()
}
