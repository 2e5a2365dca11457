import { DAY } from './durations.js'
import { clip, type Interval, union } from './intervals.js'
import { occurrences, type PlannedDate, plannedDates, type RecurringWindow } from './recurrence.js'

/** The local date (YYYY-MM-DD) of a planned date. */
export const dateText = (date: number) => new Date(date).toISOString().slice(0, 10)

/**
 * What a series has on a local date (YYYY-MM-DD), as if nothing had been skipped or moved; null:
 * nothing.
 */
export function plannedOn(window: RecurringWindow, zone: string, date: string): PlannedDate | null {
  const day = Date.parse(date)
  const around = plannedDates(window, zone, day - 2 * DAY, day + 3 * DAY)
  return around.find((planned) => planned.date === day) ?? null
}

/**
 * When the occurrence of a planned date is (epoch ms): moved, as planned, or null when it is
 * skipped.
 */
export function timesOn({ exceptions = [] }: RecurringWindow, planned: PlannedDate): Interval | null {
  const found = exceptions.find(({ date }) => date === dateText(planned.date))
  if (!found) return { start: planned.start, end: planned.end }
  return found.startsAt === null ? null : { start: found.startsAt, end: found.endsAt }
}

/**
 * Whether the time before `now` is the same by both: what has begun stays as it was (decision 3.4).
 */
export function samePast(before: readonly Interval[], after: readonly Interval[], now: number): boolean {
  const past = (times: readonly Interval[]) => JSON.stringify(union(clip(times, -Infinity, now)))
  return past(before) === past(after)
}

/** As `samePast`, of all occurrences of two windows. */
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
 * that was moved to a time before; null when nothing has begun.
 */
export function lastBegun(window: RecurringWindow, zone: string, now: number): string | null {
  const planned = plannedDates(window, zone, -Infinity, now + 1).at(-1)
  if (planned) return dateText(planned.date)
  const early = (window.exceptions ?? []).filter(({ startsAt }) => startsAt !== null && startsAt <= now)
  return early.at(-1)?.date ?? null
}

/**
 * The first planned date of a series after the local date `begun` that begins after `now`; null:
 * none is left.
 */
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
