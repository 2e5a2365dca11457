import { z } from 'zod'
import { instantText, rowId, shape } from '../platform/http/json.js'
import { ConsequenceJson } from '../status/consequence.js'
import type { Interval } from '../vocabulary/time/intervals.js'
import { recurrences, type WindowException } from '../vocabulary/time/recurrence.js'
import { plannedOn } from '../vocabulary/time/series.js'
import { type DateAhead, dateAhead, datesAhead, nextOccurrences } from '../vocabulary/time/upcoming.js'
import { type ListedWindow, timesOf } from './maintenanceWindow.js'

/** One occurrence of a window. */
export const OccurrenceJson = z.strictObject({ startsAt: instantText, endsAt: instantText })

/**
 * What would come of a window: its next occurrences, and the assets that would show something else.
 */
export const WindowPreviewJson = shape('WindowPreview', {
  next: z.array(OccurrenceJson),
  consequences: z.array(ConsequenceJson),
})

export function presentOccurrence({ start, end }: Interval): z.output<typeof OccurrenceJson> {
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(end).toISOString() }
}

/** A date of a series, moved to other times or skipped (null). */
const ExceptionJson = z.strictObject({
  date: z.iso.date(),
  startsAt: instantText.nullable(),
  endsAt: instantText.nullable(),
})

/**
 * A maintenance window (spec §2) with its asset's name, its exceptions and its current or next
 * occurrence.
 */
export const WindowJson = shape('MaintenanceWindow', {
  id: rowId,
  assetId: rowId,
  assetName: z.string(),
  title: z.string(),
  startsAt: instantText,
  endsAt: instantText,
  recurrence: z.enum(recurrences),
  until: z.iso.date().nullable(),
  exceptions: z.array(ExceptionJson),
  notes: z.string(),
  nextOccurrence: OccurrenceJson.nullable(),
})

export function presentWindow(window: ListedWindow): z.output<typeof WindowJson> {
  const { id, assetId, assetName, title, startsAt, endsAt, recurrence, until, notes, zone, now } = window
  const [next] = nextOccurrences(timesOf(window), zone, now, 1)
  return {
    id,
    assetId,
    assetName,
    title,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    recurrence,
    until,
    exceptions: window.exceptions.map(presentException),
    notes,
    nextOccurrence: next ? presentOccurrence(next) : null,
  }
}

function presentException({ date, startsAt, endsAt }: WindowException): z.output<typeof ExceptionJson> {
  return {
    date,
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
  }
}

/**
 * The dates to come of a repeating window, for its page: as planned, moved or skipped, and whether
 * it has begun.
 */
export function presentDates(window: ListedWindow, count: number) {
  if (window.recurrence === 'none') return []
  return datesAhead(timesOf(window), window.zone, window.now, count).map((date) =>
    presentDate(date, window.now),
  )
}

function presentDate({ date, planned, times, state }: DateAhead, now: number) {
  return {
    date,
    state,
    ...presentOccurrence(times ?? planned),
    planned: presentOccurrence(planned),
    begun: (times ?? planned).start <= now,
  }
}

/**
 * One date of a repeating window (YYYY-MM-DD), for the page that moves it; null when it has no such
 * date.
 */
export function presentPlannedDate(window: ListedWindow, date: string) {
  const planned = plannedOn(timesOf(window), window.zone, date)
  return planned && window.recurrence !== 'none'
    ? presentDate(dateAhead(timesOf(window), planned), window.now)
    : null
}
