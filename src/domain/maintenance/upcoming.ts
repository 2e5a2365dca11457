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
  const from = Math.max(now, window.startsAt)
  return occurrences(window, zone, from, from + (count + 1) * step).slice(0, count)
}

/** How many occurrences have begun by `now`. */
export function begunOccurrences(window: RecurringWindow, zone: string, now: number): number {
  return occurrences(window, zone, window.startsAt, now).length
}
