import { DAY } from '../time/durations.js'
import { type Interval, subtract, union } from './intervals.js'

/** Downtime outside maintenance, and maintenance; each sorted and disjoint. */
export type Counted = { down: readonly Interval[]; maintenance: readonly Interval[] }

/** Milliseconds of a window: `base` outside maintenance, `up` the part of `base` without downtime. */
type Share = { base: number; up: number }

const FULL = 10_000

/** What uptime counts (decision 3.3): overlaps merged, maintenance taken out of downtime. */
export function counted(downtime: readonly Interval[], maintenance: readonly Interval[]): Counted {
  const windows = union(maintenance)
  return { down: subtract(downtime, windows), maintenance: windows }
}

/** Milliseconds of downtime in the trailing window of `days` × 24 h. */
export function downIn({ down }: Counted, now: number, days: number): number {
  return overlap(down, now - days * DAY, now)
}

/**
 * Uptime over the last `days` × 24 h in hundredths of a percent, rounded down (decision 3.3). Exact: the
 * largest product, 10,000 × a window in ms, stays below 2^53 for windows up to 10,000 days.
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
  const base = days * DAY - overlap(times.maintenance, now - days * DAY, now)
  return { base, up: base - downIn(times, now, days) }
}

function hundredths({ base, up }: Share): number {
  if (base === 0) return FULL
  const scaled = FULL * up
  return (scaled - (scaled % base)) / base
}

// Change of a window's share per ms: the present enters, the moment at the far edge leaves.
function speedAt({ down, maintenance }: Counted, now: number, edge: number): Share {
  const base = Number(covers(maintenance, edge)) - Number(covers(maintenance, now))
  return { base, up: base + Number(covers(down, edge)) - Number(covers(down, now)) }
}

// The hundredths are q while 0 <= FULL × up − q × base < base. Both sides are linear in time, so one division
// gives the first whole millisecond outside either bound.
function msUntilChange(share: Share, speed: Share): number {
  const q = hundredths(share)
  const above = FULL * share.up - q * share.base
  const rising = FULL * speed.up - q * speed.base
  if (rising < 0) return Math.floor(above / -rising) + 1
  const closing = rising - speed.base
  return closing > 0 ? Math.ceil((share.base - above) / closing) : Infinity
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
