import { DAY } from '../../vocabulary/time/calendar.js'
import { occurrenceName, plannedDates } from '../../vocabulary/time/recurrence.js'
import { withMoved } from '../../vocabulary/time/series.js'
import { type CalendarWindow, retentionDays } from '../queries/calendar.js'

/** Days ahead that a calendar shows. */
const calendarDays = 366
/** Dates in a calendar at the most. */
const calendarDates = 2_000

/**
 * One date of planned work. `name` is the same for good: of a series with the local date that the
 * series has, so that a moved date keeps it. `sequence` grows with each change of its window. Times
 * in epoch ms.
 */
export type PlannedEvent = {
  name: string
  windowId: number
  title: string
  assetId: number
  assetName: string
  towerName: string
  start: number
  end: number
  cancelled: boolean
  sequence: number
  changedAt: number
}

type Frame = { now: number; zone: string; windows: readonly CalendarWindow[] }

/** The dates from a week ago to a year ahead, soonest first; skipped and deleted as cancelled. */
export function plannedEvents({ now, zone, windows }: Frame): PlannedEvent[] {
  return windows
    .flatMap((window) => datesOf(window, zone, now))
    .sort((a, b) => a.start - b.start || a.windowId - b.windowId)
    .slice(0, calendarDates)
}

function datesOf(window: CalendarWindow, zone: string, now: number): PlannedEvent[] {
  const { id, title, assetId, assetName, towerName, changes, changedAt, deletedAt, recurrence } = window
  const from = now - retentionDays.date * DAY
  const to = now + calendarDays * DAY
  return withMoved(window, zone, plannedDates(window, zone, from, to))
    .map(({ date, planned, times }) => ({
      name: occurrenceName(id, recurrence, Date.parse(date)),
      windowId: id,
      title,
      assetId,
      assetName,
      towerName,
      ...(times ?? planned),
      cancelled: times === null || deletedAt !== null,
      sequence: changes,
      changedAt,
    }))
    .filter(({ start, end }) => end > from && start < to && start > (deletedAt ?? -Infinity))
}
