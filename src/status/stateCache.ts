import type { CachedResponse } from '../platform/http/answer/cachedResponse.js'
import { databaseAway } from '../platform/process/databaseErrors.js'
import { statusAddresses } from './addresses.js'
import { type BuildingState, buildingState } from './present/status.js'
import { statusRows, statusStillExact } from './queries/status.js'
import { validatedCache } from './validatedCache.js'

/** What this process has counted of the status view since its start, for /metrics. */
export const statusCounters = {
  /** Reads ahead of Koa, which are not logged, by address. */
  reads: { [statusAddresses.page]: 0, [statusAddresses.live]: 0, [statusAddresses.json]: 0 },
  /** Views that the database confirmed, that were computed again, and that were as last known. */
  cache: { hit: 0, recomputed: 0, stale: 0 },
}

/** A file of the state, such as a feed, and what writes it again with its age in minutes. */
export type StateFile = {
  type: string
  answer: CachedResponse
  write: (minutesOld: number | null) => string
}

/** The building's state and the responses made from it so far; they are replaced together. */
export type Kept = {
  state: BuildingState
  answers: Map<string, CachedResponse>
  files: Partial<Record<string, Promise<StateFile>>>
}

const cache = validatedCache<Kept>({
  async compute() {
    const rows = await statusRows()
    const state = buildingState(rows)
    return {
      view: { state, answers: new Map(), files: {} },
      stamp: rows.stamp,
      now: rows.now,
      validUntil: state.validUntil,
    }
  },
  check: statusStillExact,
  counted: statusCounters.cache,
})

/** The state with its responses: exact, and shared by concurrent callers. */
export const current = cache.current

/** The building's state as of now: exact, and shared by concurrent callers. */
export async function currentState(): Promise<BuildingState> {
  return (await current()).state
}

/** How long what was last known is shown while the database is away, in ms (decision 4.1). */
export const knownFor = 15 * 60_000
const minute = 60_000

/** What was last known, and its age in ms and in whole minutes. */
type Known = { view: Kept; age: number; minutes: number }

/** What was last known; null unless this error says the database is away, and when too old. */
export function knownWhileAway(error: unknown): Known | null {
  const known = databaseAway(error) ? cache.lastKnown() : null
  if (!known || known.age >= knownFor) return null
  return { ...known, minutes: Math.floor(known.age / minute) }
}
