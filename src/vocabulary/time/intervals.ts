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
  const left: Interval[] = []
  let next = 0
  for (const { start, end } of union(intervals)) {
    while (next < cuts.length && cuts[next]!.end <= start) next++
    cutInto(left, start, end, cuts, next)
  }
  return left
}

/** Milliseconds covered by at least one interval; Infinity when one still runs. */
export function total(intervals: readonly Interval[]): number {
  return union(intervals).reduce((sum, { start, end }) => sum + (end - start), 0)
}

function cutInto(left: Interval[], start: number, end: number, cuts: readonly Interval[], first: number) {
  let from = start
  for (let i = first; i < cuts.length && cuts[i]!.start < end; i++) {
    const cut = cuts[i]!
    if (from < cut.start) left.push({ start: from, end: cut.start })
    from = cut.end
  }
  if (from < end) left.push({ start: from, end })
}

function byStart(a: Interval, b: Interval): number {
  return a.start < b.start ? -1 : a.start > b.start ? 1 : 0
}
