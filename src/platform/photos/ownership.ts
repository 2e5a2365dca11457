import { log } from '../ops/log.js'
import { areTooMany, batches, type Known } from './orphans.js'
import { photoOf } from './photoFormat.js'
import { type PhotoStore, StorageUnavailable } from './storage.js'

/** A building's id as a store keeps it: one line, so that people can read it. */
export const written = (buildingId: string): string => `${buildingId}\n`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id in a store's file. What is no id is told as it stands, cut: someone else's store, in any
 * case.
 */
export function readBuilding(text: string): string {
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
type Ours = { buildingId: () => Promise<string>; known: Known }

/**
 * Milliseconds that a store seen to be ours counts as ours: photos are stored more often than
 * stores change.
 */
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
    const owner = (await store.owner()) ?? (await claimed(id))
    if (owner !== id) throw notOurs('other_building')
    seen = performance.now()
  }

  async function claimed(id: string): Promise<string> {
    if (areTooMany(await countSample(store, known))) throw notOurs('unclaimed')
    return store.claim(id)
  }

  return {
    /** Again, as a sweep must; `store` may have changed since the last look. */
    requireNow,
    async require(): Promise<void> {
      if (performance.now() - seen > goodFor) await requireNow()
    },
    /**
     * Makes the store this database's. Returns its id and how many of the photos looked at it
     * knows.
     */
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

async function countSample(store: PhotoStore, known: Known): Promise<{ all: number; unknown: number }> {
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
