import { nextOccurrences } from '../../domain/maintenance/upcoming.js'
import type { Interval } from '../../domain/status/intervals.js'
import { type ListedWindow, timesOf } from '../../models/maintenance/maintenanceWindow.js'

/** A maintenance window (spec §2) with its id, its asset's name, and the occurrence in progress or next to come. */
export function presentWindow(window: ListedWindow) {
  const { id, assetId, assetName, title, startsAt, endsAt, recurrence, notes, zone, now } = window
  const [next] = nextOccurrences(timesOf(window), zone, now, 1)
  return {
    id,
    assetId,
    assetName,
    title,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    recurrence,
    notes,
    nextOccurrence: next ? presentOccurrence(next) : null,
  }
}

/** One occurrence of a window. */
export function presentOccurrence({ start, end }: Interval) {
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(end).toISOString() }
}
