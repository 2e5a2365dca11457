import { z } from 'zod'
import { recurrences } from '../../domain/maintenance/recurrence.js'
import { nextOccurrences } from '../../domain/maintenance/upcoming.js'
import type { Interval } from '../../domain/status/intervals.js'
import { type ListedWindow, timesOf } from '../../models/maintenance/maintenanceWindow.js'
import { instant, rowId, shape } from '../json.js'

/** One occurrence of a window. */
export const OccurrenceJson = z.strictObject({ startsAt: instant, endsAt: instant })

export function presentOccurrence({ start, end }: Interval): z.output<typeof OccurrenceJson> {
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(end).toISOString() }
}

/** A maintenance window (spec §2) with its asset's name and its current or next occurrence. */
export const WindowJson = shape('MaintenanceWindow', {
  id: rowId,
  assetId: rowId,
  assetName: z.string(),
  title: z.string(),
  startsAt: instant,
  endsAt: instant,
  recurrence: z.enum(recurrences),
  notes: z.string(),
  nextOccurrence: OccurrenceJson.nullable(),
})

export function presentWindow(window: ListedWindow): z.output<typeof WindowJson> {
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
