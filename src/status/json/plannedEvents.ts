import { DAY } from '../../vocabulary/time/durations.js'
import { plannedDates } from '../../vocabulary/time/recurrence.js'
import { plannedOn } from '../../vocabulary/time/series.js'
import { dateAhead } from '../../vocabulary/time/upcoming.js'
import { type CalendarWindow, shownFor } from '../queries/calendar.js'

/** Days ahead that a calendar shows, and dates in it. */
const [ahead, most] = [366, 2_000]

/**
 * One date of planned work. `name` is the same for good: of a series with the local date that the series has, so that
 * a moved date keeps it. `sequence` grows with each change of its window. Times in epoch ms.
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

/** The dates from a week ago to a year ahead, soonest first; skipped dates and those of deleted windows as cancelled. */
export function plannedEvents({ now, zone, windows }: Frame): PlannedEvent[] {
  return windows
    .flatMap((window) => datesOf(window, zone, now))
    .sort((a, b) => a.start - b.start || a.windowId - b.windowId)
    .slice(0, most)
}

function datesOf(window: CalendarWindow, zone: string, now: number): PlannedEvent[] {
  const { id, title, assetId, assetName, towerName, changes, changedAt, deletedAt, recurrence } = window
  const [from, to] = [now - shownFor.date * DAY, now + ahead * DAY]
  const within = plannedDates(window, zone, from, to)
  const moved = (window.exceptions ?? [])
    .filter(
      ({ date, startsAt }) => startsAt !== null && !within.some((each) => each.date === Date.parse(date)),
    )
    .flatMap(({ date }) => plannedOn(window, zone, date) ?? [])
  return [...within, ...moved]
    .map((planned) => dateAhead(window, planned))
    .map(({ date, planned, times }) => ({
      name: recurrence === 'none' ? `maintenance-${id}` : `maintenance-${id}-${date}`,
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
