import { DAY } from './durations.js'
import type { Interval } from './intervals.js'
import { occurrences, type PlannedDate, plannedDates, type RecurringWindow } from './recurrence.js'
import { dateText, plannedOn, timesOn } from './series.js'

/**
 * In ms; longer than any repeating window, and than the gap between two occurrences (decision 3.4).
 */
const step = 32 * DAY

/**
 * The next `count` occurrences not yet over at `now`, soonest first; fewer when there are no more.
 * Epoch ms.
 */
export function nextOccurrences(
  window: RecurringWindow,
  zone: string,
  now: number,
  count: number,
): Interval[] {
  const { startsAt, until, exceptions = [] } = window
  // Each skipped or moved date leaves at most one step empty.
  const to = Math.max(now, startsAt) + (count + exceptions.length + 1) * step
  const soon = occurrences(window, zone, now, to)
  const all = soon.length < count && until ? occurrences(window, zone, now, Infinity) : soon
  return all.slice(0, count)
}

/** How many occurrences have begun by `now`. */
export function begunOccurrences(window: RecurringWindow, zone: string, now: number): number {
  return occurrences(window, zone, -Infinity, now).length
}

/**
 * A date of a series that is not over: `planned` as the series has it, `times` as it will be, null
 * when skipped.
 */
export type DateAhead = { date: string; planned: Interval; times: Interval | null; state: DateState }
export type DateState = 'planned' | 'moved' | 'skipped'

/**
 * The next `count` dates of a series, the skipped ones too, and all moved ones that are not over;
 * soonest first.
 */
export function datesAhead(window: RecurringWindow, zone: string, now: number, count: number): DateAhead[] {
  const { startsAt, exceptions = [] } = window
  const to = Math.max(now, startsAt) + (count + 1) * step
  const dates = plannedDates(window, zone, now, to).slice(0, count)
  const moved = exceptions
    .filter(({ endsAt, date }) => endsAt !== null && endsAt > now && !dates.some(isOn(date)))
    .flatMap(({ date }) => plannedOn(window, zone, date) ?? [])
  return [...dates, ...moved]
    .map((planned) => dateAhead(window, planned))
    .filter(({ times }) => times === null || times.end > now)
    .sort((a, b) => (a.times ?? a.planned).start - (b.times ?? b.planned).start)
}

const isOn = (date: string) => (planned: PlannedDate) => dateText(planned.date) === date

/** The date of a planned occurrence, as it will be. */
export function dateAhead(window: RecurringWindow, planned: PlannedDate): DateAhead {
  const { date, start, end } = planned
  const times = timesOn(window, planned)
  const state = times === null ? 'skipped' : times.start === start && times.end === end ? 'planned' : 'moved'
  return { date: dateText(date), planned: { start, end }, times, state }
}
