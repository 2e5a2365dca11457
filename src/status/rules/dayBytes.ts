import { DAY } from '../../vocabulary/time/durations.js'
import type { Interval } from '../../vocabulary/time/intervals.js'

/**
 * Writes `value` into every day an interval touches, up to and including `now`, so that a status beginning
 * now counts. Day i is [bounds[i], bounds[i + 1]) in epoch ms; days of no length are skipped.
 */
export function paintDays(
  bytes: Uint8Array,
  bounds: readonly number[],
  intervals: readonly Interval[],
  value: number,
  now: number,
): void {
  for (const { start, end } of intervals) {
    const until = Math.min(end, now + 1)
    if (start >= until) continue
    for (let day = dayOf(bounds, start); day < bytes.length && bounds[day]! < until; day++) {
      if (bounds[day]! < bounds[day + 1]!) bytes[day] = value
    }
  }
}

// Days last 23 to 25 hours, so dividing by 24 h is off by a few days at most; earlier instants belong to day
// 0.
function dayOf(bounds: readonly number[], instant: number): number {
  const last = bounds.length - 2
  let day = Math.max(0, Math.min(last, Math.floor((instant - bounds[0]!) / DAY)))
  while (day > 0 && bounds[day]! > instant) day--
  while (day <= last && bounds[day + 1]! <= instant) day++
  return day
}
