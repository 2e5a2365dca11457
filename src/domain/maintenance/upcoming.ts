import type { Interval } from '../status/intervals.js'
import { DAY } from '../time/durations.js'
import { occurrences, type RecurringWindow } from './recurrence.js'

/** In ms; longer than any repeating window, and than the gap between two occurrences (decision 3.4). */
const step = 32 * DAY

/**
 * The next `count` occurrences not yet over at `now`, soonest first; fewer when there are no more. Epoch ms.
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
