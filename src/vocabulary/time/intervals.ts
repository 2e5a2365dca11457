import { DAY, dateText, HOUR, wallAt } from './calendar.js'

/**
 * A half-open stretch of time [start, end) in epoch milliseconds; `end` is Infinity while it still
 * runs. Zero-length and reversed intervals hold no time: every function here drops them.
 */
export type Interval = { start: number; end: number }

/** An interval with an end, as JSON names its two instants. */
export const spanTexts = ({ start, end }: Interval) => ({
  startsAt: new Date(start).toISOString(),
  endsAt: new Date(end).toISOString(),
})

export function holdsTime({ start, end }: Interval): boolean {
  return start < end
}

/** The time covered by at least one interval: sorted, disjoint, touching ones joined; new. */
export function union(intervals: readonly Interval[]): Interval[] {
  const joined: Interval[] = []
  for (const { start, end } of intervals.filter(holdsTime).sort(byStart)) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

/** Each interval cut to [from, to), in the order given; overlapping ones still overlap. */
export function clip(intervals: readonly Interval[], from: number, to: number): Interval[] {
  return intervals
    .map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }))
    .filter(holdsTime)
}

/** The time covered by `intervals` and by none of `holes`: sorted and disjoint. */
export function subtract(intervals: readonly Interval[], holes: readonly Interval[]): Interval[] {
  const cuts = union(holes)
  return union(intervals).flatMap(({ start, end }) => {
    const within = cuts.filter((cut) => cut.start < end && cut.end > start)
    const ends = [...within.map((cut) => cut.start), end]
    return [start, ...within.map((cut) => cut.end)]
      .map((from, i) => ({ start: from, end: ends[i]! }))
      .filter(holdsTime)
  })
}

/** Milliseconds covered by at least one interval; Infinity when one still runs. */
export function total(intervals: readonly Interval[]): number {
  return union(intervals).reduce((sum, { start, end }) => sum + (end - start), 0)
}

function byStart(a: Interval, b: Interval): number {
  return a.start < b.start ? -1 : a.start > b.start ? 1 : 0
}

/** The digest is due on Monday at this hour, in the property's zone. */
const digestHour = 7

/** The hour (UTC) of a scheduled run at `now` (epoch ms): only one of all schedulers runs in it. */
export function hourPeriod(now: number): string {
  return new Date(now).toISOString().slice(0, 13)
}

/**
 * The week of a scheduled digest at `now` (epoch ms), named by its Monday: from Monday 07:00 in the
 * property's zone to the next. A digest missed while nothing ran is made up for within that week.
 */
export function digestPeriod(now: number, zone: string): string {
  const wall = wallAt(zone, now) - digestHour * HOUR
  const sinceMonday = (new Date(wall).getUTCDay() + 6) % 7
  return dateText(wall - sinceMonday * DAY)
}
