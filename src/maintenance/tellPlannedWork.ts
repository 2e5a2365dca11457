import { query } from '../platform/db/database.js'
import { wake } from '../platform/outbox/outbox.js'
import { DAY } from '../vocabulary/time/durations.js'
import { occurrences } from '../vocabulary/time/recurrence.js'
import {
  doneWithin,
  type Telling,
  type ToldWindow,
  tellOccurrences,
  toldWindows,
  workOn,
} from './maintenanceTelling.js'

/**
 * Tells those who follow an asset of planned work that begins within a day or is over: each
 * occurrence once, in any number of processes, and also after a pause. Returns how many.
 */
export async function tellPlannedWork(): Promise<number> {
  const told = await tellOccurrences((await toldWindows(query, null)).flatMap(tellingsOf))
  if (told > 0) wake(new Set())
  return told
}

function tellingsOf(window: ToldWindow): Telling[] {
  const { assetId, knownSince, now, zone } = window
  return occurrences(window, zone, now - doneWithin * DAY, now + DAY).flatMap(({ start, end }) => {
    const what = start > now ? 'ahead' : end <= now && end > knownSince ? 'done' : null
    return what ? [{ assetId, what, work: workOn(window, { start, end }) } as const] : []
  })
}
