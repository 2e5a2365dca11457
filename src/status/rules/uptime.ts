import { type AssetStatus, assetStatuses } from '../../vocabulary/assetStatus.js'
import type { Days } from '../../vocabulary/time/calendar.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import { paintDays } from './dayBytes.js'
import {
  boundaryAfter,
  type Counted,
  countedIntervals,
  downIn,
  hundredthsIn,
  nextChangeIn,
} from './uptimeWindow.js'

export type { Days } from '../../vocabulary/time/calendar.js'

/** The statuses of a day, mildest first, the same as an asset's (spec §2); the index is the day's byte. */
export const dayStatuses = assetStatuses
export type DayStatus = AssetStatus

/**
 * When an asset was down, degraded (decision 3.1) and in maintenance, epoch ms: unsorted, may overlap, `end`
 * Infinity while running. Recurring maintenance is given as occurrences over the whole window.
 */
export type AssetTimes = {
  downtime: readonly Interval[]
  degraded: readonly Interval[]
  maintenance: readonly Interval[]
}

/**
 * `days`: one byte a day, an index of `dayStatuses`. `uptime30`, `uptime90`: hundredths of a percent, 0 to
 * 10,000. `validUntil`: the first instant after now at which these may differ without a write.
 */
export type AssetHistory = { days: Uint8Array; uptime30: number; uptime90: number; validUntil: number }

/** Day colours and uptime of an asset (spec §2, decisions 3.2, 3.3); `days` is `lastDays(zone, now, 90)`. */
export function assetHistory(times: AssetTimes, days: Days, now: number): AssetHistory {
  const uptime = countedIntervals(times.downtime, times.maintenance)
  return {
    days: dayBytes(times, days, now),
    uptime30: hundredthsIn(uptime, now, 30),
    uptime90: hundredthsIn(uptime, now, 90),
    validUntil: validUntil(times, uptime, days, now),
  }
}

/** Uptime over the trailing `days` × 24 h in hundredths of a percent, decision 3.3. */
export function uptimeOver(
  times: Pick<AssetTimes, 'downtime' | 'maintenance'>,
  now: number,
  days: number,
): number {
  return hundredthsIn(countedIntervals(times.downtime, times.maintenance), now, days)
}

/** Milliseconds of downtime outside maintenance in the trailing `days` × 24 h, decisions 3.3 and 3.6. */
export function downtimeOver(
  times: Pick<AssetTimes, 'downtime' | 'maintenance'>,
  now: number,
  days: number,
): number {
  return downIn(countedIntervals(times.downtime, times.maintenance), now, days)
}

/** Hundredths of a percent as JSON carries them, with two decimals: 9820 → `98.20` (spec §2). */
export function percent(hundredths: number): string {
  return (hundredths / 100).toFixed(2)
}

/** One byte a day, an index of `dayStatuses`: its worst status up to `now` (decision 3.2). */
export function dayBytes(times: AssetTimes, { dates, bounds }: Days, now: number): Uint8Array {
  const bytes = new Uint8Array(dates.length)
  // Milder statuses first, so that the worst status of a day is written last.
  paintDays(bytes, bounds, times.maintenance, dayStatuses.indexOf('maintenance'), now)
  paintDays(bytes, bounds, times.degraded, dayStatuses.indexOf('degraded'), now)
  paintDays(bytes, bounds, times.downtime, dayStatuses.indexOf('down'), now)
  return bytes
}

function validUntil(times: AssetTimes, uptime: Counted, { bounds }: Days, now: number): number {
  return Math.min(
    bounds.at(-1)!,
    boundaryAfter(times.downtime, now),
    boundaryAfter(times.degraded, now),
    boundaryAfter(times.maintenance, now),
    nextChangeIn(uptime, now, 30),
    nextChangeIn(uptime, now, 90),
  )
}
