import { log } from '../process/log.js'
import { photoOf } from './photoPath.js'
import { areTooManyUnknown, type FindReferenced, filesWithReferences } from './referencedFiles.js'
import { type PhotoStore, StoreUnavailable } from './store.js'

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

/** What a database says of its building and its photos. */
type BuildingFacts = { buildingId: () => Promise<string>; findReferenced: FindReferenced }

/** Milliseconds until the owner of the store is looked at again. */
const ownerCheckMs = 60_000

/** Photos looked at before a store without an owner is claimed. */
const sampleSize = 1_000

/**
 * The bond of a store and a database: `requireOwned` claims a store that is no one's and throws
 * StoreUnavailable, caused by NotOurStore, when it is not ours; `adopt` takes it over whatever it
 * is.
 */
export function ownership(store: PhotoStore, { buildingId, findReferenced }: BuildingFacts) {
  let checkedAt = Number.NEGATIVE_INFINITY

  async function checkOwnedNow(): Promise<void> {
    const id = await buildingId()
    const owner = (await store.owner()) ?? (await claimUnowned(id))
    if (owner !== id) throw notOurs('other_building')
    checkedAt = performance.now()
  }

  async function claimUnowned(id: string): Promise<string> {
    if (areTooManyUnknown(await countSample(store, findReferenced))) throw notOurs('unclaimed')
    return store.claim(id)
  }

  return {
    /** `requireOwned` without its minute, as a sweep needs it: the store may have changed since. */
    checkOwnedNow,
    async requireOwned(): Promise<void> {
      if (performance.now() - checkedAt > ownerCheckMs) await checkOwnedNow()
    },
    /** Makes the store this database's. Counts the photos of a sample, and those unknown to it. */
    async adopt(): Promise<{ adopted: string; photos: number; unknown: number }> {
      const { all, unknown } = await countSample(store, findReferenced)
      return { adopted: await store.claim(await buildingId(), true), photos: all, unknown }
    },
  }
}

function notOurs(code: NotOurStore['code']): StoreUnavailable {
  const cause = new NotOurStore(code)
  log.warn({ code }, `${cause.message}: npm run photos -- --adopt makes it this database's`)
  return new StoreUnavailable({ cause })
}

async function countSample(
  store: PhotoStore,
  findReferenced: FindReferenced,
): Promise<{ all: number; unknown: number }> {
  const photos = { all: new Set<string>(), unknown: new Set<string>() }
  for await (const batch of filesWithReferences(store, 'photos', findReferenced)) {
    for (const { path, isReferenced } of batch) {
      photos.all.add(photoOf(path))
      if (!isReferenced) photos.unknown.add(photoOf(path))
    }
    if (photos.all.size >= sampleSize) break
  }
  return { all: photos.all.size, unknown: photos.unknown.size }
}
