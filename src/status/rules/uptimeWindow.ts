import { DAY } from '../../vocabulary/time/durations.js'
import { type Interval, subtract, union } from '../../vocabulary/time/intervals.js'

/** Downtime outside maintenance, and maintenance; each sorted and disjoint. */
export type Counted = { down: readonly Interval[]; maintenance: readonly Interval[] }

/** Milliseconds of a window: `base` outside maintenance, `up` the part of `base` without downtime. */
export type Share = { base: number; up: number }

const FULL = 10_000

/** What uptime counts (decision 3.3): overlaps merged, maintenance taken out of downtime. */
export function countedIntervals(downtime: readonly Interval[], maintenance: readonly Interval[]): Counted {
  const windows = union(maintenance)
  return { down: subtract(downtime, windows), maintenance: windows }
}

/** Milliseconds of downtime in the trailing window of `days` × 24 h. */
export function downIn({ down }: Counted, now: number, days: number): number {
  return overlap(down, now - days * DAY, now)
}

/**
 * Uptime over the last `days` × 24 h in hundredths of a percent, to the nearest, but full only without downtime
 * and 0 only without uptime (decision 3.3). Exact: 20,000 × a window in ms is below 2^53 up to 5,000 days.
 */
export function hundredthsIn(times: Counted, now: number, days: number): number {
  return hundredths(shareIn(times, now, days))
}

/**
 * The first instant after `now` at which `hundredthsIn` may differ if no interval starts or ends meanwhile;
 * earlier, when the far edge reaches a start or end. Infinity if neither happens.
 */
export function nextChangeIn(times: Counted, now: number, days: number): number {
  const share = shareIn(times, now, days)
  // Without downtime the percentage stays full, however much maintenance leaves the window.
  if (share.up === share.base && !covers(times.down, now)) return Infinity
  const edge = now - days * DAY
  const atEdge = Math.min(boundaryAfter(times.down, edge), boundaryAfter(times.maintenance, edge))
  return Math.min(atEdge + days * DAY, now + msUntilChange(share, speedAt(times, now, edge)))
}

/** The first start or end after an instant; Infinity if there is none. */
export function boundaryAfter(intervals: readonly Interval[], instant: number): number {
  let first = Infinity
  for (const { start, end } of intervals) {
    if (start >= end) continue
    if (start > instant) first = Math.min(first, start)
    else if (end > instant) first = Math.min(first, end)
  }
  return first
}

function shareIn(times: Counted, now: number, days: number): Share {
  return shareBetween(times, now - days * DAY, now)
}

/** The share of the window [from, to), in epoch ms. */
export function shareBetween({ down, maintenance }: Counted, from: number, to: number): Share {
  const base = to - from - overlap(maintenance, from, to)
  return { base, up: base - overlap(down, from, to) }
}

/** A share in hundredths of a percent, as `hundredthsIn` says. */
export function hundredths({ base, up }: Share): number {
  if (up === base) return FULL
  if (up === 0) return 0
  const scaled = 2 * FULL * up + base
  const nearest = (scaled - (scaled % (2 * base))) / (2 * base)
  return Math.max(1, Math.min(FULL - 1, nearest))
}

// Change of a window's share per ms: the present enters, the moment at the far edge leaves.
function speedAt({ down, maintenance }: Counted, now: number, edge: number): Share {
  const base = Number(covers(maintenance, edge)) - Number(covers(maintenance, now))
  return { base, up: base + Number(covers(down, edge)) - Number(covers(down, now)) }
}

/** Both bounds within which the hundredths stay as they are move in a straight line; the first crossed ends it. */
function msUntilChange(share: Share, speed: Share): number {
  const bounds = boundsOf(hundredths(share))
  return Math.min(...bounds.map((bound) => msUntilNegative(bound(share), bound(speed, 0))))
}

/** What must not be negative for the hundredths to be q; `one` is 1 where a bound is not reached itself, in whole ms. */
type Bound = (share: Share, one?: number) => number

function boundsOf(q: number): Bound[] {
  if (q === FULL) return [({ base, up }) => up - base]
  if (q === 0) return [({ up }) => -up]
  const least: Bound =
    q === 1 ? ({ up }, one = 1) => up - one : ({ base, up }) => 2 * FULL * up - (2 * q - 1) * base
  const most: Bound =
    q === FULL - 1
      ? ({ base, up }, one = 1) => base - up - one
      : ({ base, up }, one = 1) => (2 * q + 1) * base - 2 * FULL * up - one
  return [least, most]
}

/** The first whole millisecond at which a value that changes by `speed` each is below 0; Infinity if it never is. */
function msUntilNegative(value: number, speed: number): number {
  return speed < 0 ? Math.floor(value / -speed) + 1 : Infinity
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
