import { assetStatuses } from '../../vocabulary/assetStatus.js'
import { DAY, type Days } from '../../vocabulary/time/calendar.js'
import { type Interval, subtract, union } from '../../vocabulary/time/intervals.js'

/**
 * Writes `value` into every day an interval touches, up to and including `now`, so that a status
 * beginning now counts. Day i is [bounds[i], bounds[i + 1]) in epoch ms; days of no length are
 * skipped.
 */
function paintDays(
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

// Days last 23 to 25 hours, so dividing by 24 h is off by a few days at most; earlier instants
// belong to day 0.
function dayOf(bounds: readonly number[], instant: number): number {
  const last = bounds.length - 2
  let day = Math.max(0, Math.min(last, Math.floor((instant - bounds[0]!) / DAY)))
  while (day > 0 && bounds[day]! > instant) day--
  while (day <= last && bounds[day + 1]! <= instant) day++
  return day
}

/** Downtime outside maintenance, and maintenance; each sorted and disjoint. `since`: epoch ms. */
type Counted = { down: readonly Interval[]; maintenance: readonly Interval[]; since: number }

/** Milliseconds of a window: `base` outside maintenance, `up` those of them without downtime. */
export type Share = { base: number; up: number }

const FULL = 10_000

/**
 * What uptime counts (decision 3.3): overlaps merged, maintenance taken out of downtime. `since`:
 * nothing is recorded before (decision 9.20), epoch ms.
 */
export function countedIntervals(
  downtime: readonly Interval[],
  maintenance: readonly Interval[],
  since = -Infinity,
): Counted {
  const windows = union(maintenance)
  return { down: subtract(downtime, windows), maintenance: windows, since }
}

/**
 * Uptime over the last `days` × 24 h, or since it is recorded where that is later (decision 9.20),
 * in hundredths of a percent, to the nearest, but full only without downtime and 0 only without
 * uptime (decision 3.3). Exact: 20,000 × a window in ms is below 2^53 up to 5,000 days.
 */
export function uptimeOver(times: Counted, now: number, days: number): number {
  const from = Math.max(now - days * DAY, times.since)
  return hundredths(shareBetween(times, Math.min(from, now), now))
}

/**
 * The first instant at which `uptimeOver` may differ, at most `limit`, before which nothing starts
 * or ends. As long as nothing does at the far edge either, and that does not start to move, it only
 * rises or only falls.
 */
function nextChangeIn(times: Counted, now: number, days: number, limit: number): number {
  const present = uptimeOver(times, now, days)
  // Without downtime the percentage stays full, however much maintenance leaves the window.
  if (present === FULL && !covers(times.down, now)) return limit
  const edge = now - days * DAY
  const moves = times.since > edge ? times.since : Infinity
  const atEdge = Math.min(boundaryAfter(times.down, edge), boundaryAfter(times.maintenance, edge), moves)
  let [same, changed] = [now, Math.min(limit, atEdge + days * DAY)]
  if (uptimeOver(times, changed, days) === present) return changed
  while (changed - same > 1) {
    const middle = Math.floor((same + changed) / 2)
    if (uptimeOver(times, middle, days) === present) same = middle
    else changed = middle
  }
  return changed
}

/** The first start or end after an instant; Infinity if there is none. */
function boundaryAfter(intervals: readonly Interval[], instant: number): number {
  let first = Infinity
  for (const { start, end } of intervals) {
    if (start >= end) continue
    if (start > instant) first = Math.min(first, start)
    else if (end > instant) first = Math.min(first, end)
  }
  return first
}

/** The share of the window [from, to), in epoch ms. */
export function shareBetween({ down, maintenance }: Omit<Counted, 'since'>, from: number, to: number): Share {
  const base = to - from - overlap(maintenance, from, to)
  return { base, up: base - overlap(down, from, to) }
}

/** A share in hundredths of a percent, as `uptimeOver` says. */
export function hundredths({ base, up }: Share): number {
  if (up === base) return FULL
  if (up === 0) return 0
  const scaled = 2 * FULL * up + base
  const nearest = (scaled - (scaled % (2 * base))) / (2 * base)
  return Math.max(1, Math.min(FULL - 1, nearest))
}

function overlap(intervals: readonly Interval[], from: number, to: number): number {
  let sum = 0
  for (const { start, end } of intervals) {
    if (start < to && end > from) sum += Math.min(end, to) - Math.max(start, from)
  }
  return sum
}

function covers(intervals: readonly Interval[], instant: number): boolean {
  return intervals.some(({ start, end }) => start <= instant && instant < end)
}

/**
 * When an asset was down, degraded (decision 3.1) and in maintenance, epoch ms: unsorted, may
 * overlap, `end` Infinity while running. Recurring maintenance is given as occurrences over the
 * whole window. `recordedSince`: nothing is known of it before (decision 9.20).
 */
export type AssetTimes = {
  downtime: readonly Interval[]
  degraded: readonly Interval[]
  maintenance: readonly Interval[]
  recordedSince: number
}

/**
 * `days`: one byte a day, an index of `assetStatuses`. `uptime30`, `uptime90`: hundredths of a
 * percent, 0 to 10,000. `validUntil`: the first instant after now at which these may differ without
 * a write.
 */
export type AssetHistory = { days: Uint8Array; uptime30: number; uptime90: number; validUntil: number }

/**
 * Day colours and uptime (spec §2, decisions 3.2, 3.3, 9.20); `days`: `lastDays(zone, now, 90)`.
 */
export function assetHistory(times: AssetTimes, days: Days, now: number): AssetHistory {
  const uptime = countedIntervals(times.downtime, times.maintenance, times.recordedSince)
  const intervals = [...times.downtime, ...times.degraded, ...times.maintenance]
  const limit = Math.min(days.bounds.at(-1)!, boundaryAfter(intervals, now))
  return {
    days: dayBytes(times, days, now),
    uptime30: uptimeOver(uptime, now, 30),
    uptime90: uptimeOver(uptime, now, 90),
    validUntil: Math.min(nextChangeIn(uptime, now, 30, limit), nextChangeIn(uptime, now, 90, limit)),
  }
}

/** Milliseconds of downtime outside maintenance in the last `days` × 24 h (decisions 3.3, 3.6). */
export function downtimeOver(
  { downtime, maintenance }: Pick<AssetTimes, 'downtime' | 'maintenance'>,
  now: number,
  days: number,
): number {
  return overlap(countedIntervals(downtime, maintenance).down, now - days * DAY, now)
}

/** Hundredths of a percent as JSON carries them, with two decimals: 9820 → `98.20` (spec §2). */
export function percent(hundredths: number): string {
  return (hundredths / 100).toFixed(2)
}

/** One byte a day, an index of `assetStatuses`: its worst status up to `now` (decision 3.2). */
export function dayBytes(
  times: Omit<AssetTimes, 'recordedSince'>,
  { dates, bounds }: Days,
  now: number,
): Uint8Array {
  const bytes = new Uint8Array(dates.length)
  // Milder statuses first, so that the worst status of a day is written last.
  paintDays(bytes, bounds, times.maintenance, assetStatuses.indexOf('maintenance'), now)
  paintDays(bytes, bounds, times.degraded, assetStatuses.indexOf('degraded'), now)
  paintDays(bytes, bounds, times.downtime, assetStatuses.indexOf('down'), now)
  return bytes
}
