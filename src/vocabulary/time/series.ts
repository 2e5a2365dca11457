import { DAY, dateText } from './calendar.js'
import { clip, type Interval, union } from './intervals.js'
import { occurrences, type PlannedDate, plannedDates, type RecurringWindow } from './recurrence.js'

/** What a series has on a local date (YYYY-MM-DD), without skipped and moved dates; or null. */
export function plannedOn(window: RecurringWindow, zone: string, date: string): PlannedDate | null {
  const day = Date.parse(date)
  const around = plannedDates(window, zone, day - 2 * DAY, day + 3 * DAY)
  return around.find((planned) => planned.date === day) ?? null
}

/** When the occurrence of a planned date is (epoch ms): moved, as planned, or null: skipped. */
export function timesOn({ exceptions = [] }: RecurringWindow, planned: PlannedDate): Interval | null {
  const exception = exceptions.find(({ date }) => date === dateText(planned.date))
  if (!exception) return { start: planned.start, end: planned.end }
  return exception.startsAt === null ? null : { start: exception.startsAt, end: exception.endsAt }
}

/** Whether both have the same time before `now`: what has started stays (decision 3.4). */
export function samePast(before: readonly Interval[], after: readonly Interval[], now: number): boolean {
  const past = (times: readonly Interval[]) => JSON.stringify(union(clip(times, -Infinity, now)))
  return past(before) === past(after)
}

/** Whether all occurrences of two windows have the same times before `now` (decision 3.4). */
export function sameSeriesPast(
  before: RecurringWindow,
  after: RecurringWindow,
  zone: string,
  now: number,
): boolean {
  const past = (window: RecurringWindow) => occurrences(window, zone, -Infinity, now)
  return samePast(past(before), past(after), now)
}

/** The series with only those exceptions whose dates it has. */
export function withOwnExceptions(window: RecurringWindow, zone: string): RecurringWindow {
  const { recurrence, exceptions = [] } = window
  const own = exceptions.filter(({ date }) => recurrence !== 'none' && plannedOn(window, zone, date))
  return { ...window, exceptions: own }
}

/**
 * The last date of a series that has come by `now`, be it skipped or moved; when none has, the last
 * that was moved to a time before; null when nothing has started.
 */
export function lastBegun(window: RecurringWindow, zone: string, now: number): string | null {
  const planned = plannedDates(window, zone, -Infinity, now + 1).at(-1)
  if (planned) return dateText(planned.date)
  const early = (window.exceptions ?? []).filter(({ startsAt }) => startsAt !== null && startsAt <= now)
  return early.at(-1)?.date ?? null
}

/** The first planned date after the local date `begun` that starts after `now`, or null. */
export function nextBegin(
  window: RecurringWindow,
  zone: string,
  now: number,
  begun: string,
): PlannedDate | null {
  const isAhead = ({ date, start }: PlannedDate) => date > Date.parse(begun) && start > now
  const reach = Math.max(now, window.startsAt, Date.parse(begun)) + 70 * DAY
  return plannedDates(window, zone, now, reach).find(isAhead) ?? null
}

/** In ms; longer than a repeating window and than the gap between two (decision 3.4). */
const step = 32 * DAY

/** The next `count` occurrences not over at `now`, or fewer, soonest first. Epoch ms. */
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

/** How many occurrences have started by `now`. */
export function begunOccurrences(window: RecurringWindow, zone: string, now: number): number {
  return occurrences(window, zone, -Infinity, now).length
}

/** A date that is not over: `planned` by the series, `times` as it will be, null when skipped. */
export type DateAhead = { date: string; planned: Interval; times: Interval | null; state: DateState }
type DateState = 'planned' | 'moved' | 'skipped'

/** The next `count` dates of a series, with skipped ones, and all moved ones; soonest first. */
export function datesAhead(window: RecurringWindow, zone: string, now: number, count: number): DateAhead[] {
  const to = Math.max(now, window.startsAt) + (count + 1) * step
  return withMoved(window, zone, plannedDates(window, zone, now, to).slice(0, count))
    .filter(({ times }) => times === null || times.end > now)
    .sort((a, b) => (a.times ?? a.planned).start - (b.times ?? b.planned).start)
}

/** These planned dates and all moved ones, as they will be. */
export function withMoved(window: RecurringWindow, zone: string, dates: readonly PlannedDate[]): DateAhead[] {
  const listed = new Set(dates.map(({ date }) => dateText(date)))
  const moved = (window.exceptions ?? [])
    .filter(({ startsAt, date }) => startsAt !== null && !listed.has(date))
    .flatMap(({ date }) => plannedOn(window, zone, date) ?? [])
  return [...dates, ...moved].map((planned) => dateAhead(window, planned))
}

/** The date of a planned occurrence, as it will be. */
export function dateAhead(window: RecurringWindow, planned: PlannedDate): DateAhead {
  const { date, start, end } = planned
  const times = timesOn(window, planned)
  const state = times === null ? 'skipped' : times.start === start && times.end === end ? 'planned' : 'moved'
  return { date: dateText(date), planned: { start, end }, times, state }
}
