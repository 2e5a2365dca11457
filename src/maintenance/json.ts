import { z } from 'zod'
import { shape } from '../platform/http/json.js'
import { ConsequenceJson } from '../status/consequence.js'
import { plannedOn } from '../vocabulary/time/series.js'
import { type DateAhead, dateAhead, datesAhead } from '../vocabulary/time/upcoming.js'
import { type ListedWindow, OccurrenceJson, presentOccurrence, timesOf } from './entity.js'

/**
 * What would come of a window: its next occurrences, and the assets that would show something else.
 */
export const WindowPreviewJson = shape('WindowPreview', {
  next: z.array(OccurrenceJson),
  consequences: z.array(ConsequenceJson),
})

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
