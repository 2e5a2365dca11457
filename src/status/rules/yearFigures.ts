import type { ImpactSpan } from '../../vocabulary/assetStatus.js'
import { DAY, daysOfMonth, instantOf, monthsAfter, wallClock } from '../../vocabulary/time/calendar.js'
import { clip, type Interval, total, union } from '../../vocabulary/time/intervals.js'
import { countedIntervals, type Share, shareBetween } from './uptime.js'

/** When a fault was reported, and resolved if it was. */
type Fault = { id: number; createdAt: Date; resolvedAt: Date | null }

/** A breakdown soon after another of the same asset was repaired; `daysAfter`: whole days. */
type RepeatFault<F> = { fault: F; after: F; daysAfter: number }

/** Days in which a new breakdown means the repair did not last: the lift trade's own measure. */
export const repeatDays = 30

/**
 * Breakdowns of one asset that began since `since`, within 30 days of a repair; newest first. All
 * reports of one are one: what is reported while something is still unrepaired opens nothing.
 * `fault` opened it, `after` was repaired last.
 */
export function repeatFaults<F extends Fault>(faults: readonly F[], since: Date): RepeatFault<F>[] {
  const repeats: RepeatFault<F>[] = []
  let last: F | null = null
  for (const fault of faults.toSorted((a, b) => +a.createdAt - +b.createdAt || a.id - b.id)) {
    const gap = last === null ? Number.NaN : +fault.createdAt - end(last)
    if (last !== null && gap >= 0 && gap <= repeatDays * DAY && fault.createdAt >= since)
      repeats.push({ fault, after: last, daysAfter: Math.floor(gap / DAY) })
    if (last === null || end(fault) > end(last)) last = fault
  }
  return repeats.reverse()
}

/** When a fault was repaired, epoch ms; Infinity while it is not. */
const end = ({ resolvedAt }: Fault) => (resolvedAt === null ? Number.POSITIVE_INFINITY : +resolvedAt)

/** What was out of order in a stretch of time; `repeats`: breakdowns soon after a repair. */
type OutageFigures = { share: Share; outages: number; repeats: number }

/** An impact with the survivor of its incident. */
type IncidentImpact = ImpactSpan & { incidentId: number }

/** Milliseconds before a stretch in which a repair may still turn out not to have lasted. */
export const repeatsReach = repeatDays * DAY

/**
 * Figures of one asset in [from, to), epoch ms, by decisions 2.8 and 3.3. An outage is a stretch
 * that it was down, all causes together, unless it was planned work throughout. Repeats are told
 * from the impacts since `repeatsReach` before.
 */
export function outageFigures(
  impacts: readonly IncidentImpact[],
  maintenance: readonly Interval[],
  { start, end }: Interval,
): OutageFigures {
  const down = impacts.filter(({ impact }) => impact === 'down')
  const uptime = countedIntervals(down, maintenance)
  return {
    share: shareBetween(uptime, start, end),
    outages: outagesOf(union(down), clip(uptime.down, start, end)),
    repeats: repeatFaults(faultsOf(impacts, start - repeatsReach, end), new Date(start)).length,
  }
}

/** How many of these stretches have a part that counts; both in order of time. */
function outagesOf(stretches: readonly Interval[], parts: readonly Interval[]): number {
  let [outages, next] = [0, 0]
  for (const { start, end } of stretches) {
    while (next < parts.length && parts[next]!.end <= start) next++
    if (next < parts.length && parts[next]!.start < end) outages++
  }
  return outages
}

/**
 * Every incident that did something in [from, to), as one fault from its first impact there to its
 * last.
 */
function faultsOf(impacts: readonly IncidentImpact[], from: number, to: number): Fault[] {
  const spans = new Map<number, Interval>()
  for (const { incidentId, start, end } of impacts) {
    if (start >= to || end <= from) continue
    const known = spans.get(incidentId) ?? { start, end }
    spans.set(incidentId, { start: Math.min(known.start, start), end: Math.max(known.end, end) })
  }
  return [...spans].map(([id, { start, end }]) => ({
    id,
    createdAt: new Date(start),
    resolvedAt: end === Infinity ? null : new Date(end),
  }))
}

/** Milliseconds of downtime outside maintenance between each two of these bounds. */
export function downtimeBetween(
  impacts: readonly ImpactSpan[],
  maintenance: readonly Interval[],
  bounds: readonly number[],
): number[] {
  const { down } = countedIntervals(
    impacts.filter(({ impact }) => impact === 'down'),
    maintenance,
  )
  return bounds.slice(1).map((end, i) => total(clip(down, bounds[i]!, end)))
}

/**
 * A stretch that starts with a year; epoch ms. `months`: the bounds of the year's twelve months.
 */
export type YearSpan = Interval & { year: number; months: readonly number[] }

/** A calendar year of the zone, as far as it has come by `now` (epoch ms). */
export function yearUpTo(zone: string, year: number, now: number): YearSpan {
  const months = monthBounds(zone, year)
  const whole = months.at(-1)! <= now
  return { year, months, start: months[0]!, end: whole ? months.at(-1)! : now }
}

/** The same stretch of the year before: all of it, or up to the same wall time. */
export function yearBefore(zone: string, { year, months, end }: YearSpan): YearSpan {
  const before = monthBounds(zone, year - 1)
  const whole = end === months.at(-1)!
  const until = whole ? before.at(-1)! : instantOf(zone, { ...wallClock(zone, end), year: year - 1 })
  return { year: year - 1, months: before, start: before[0]!, end: until }
}

function monthBounds(zone: string, year: number): number[] {
  const first = `${year}-01`
  return Array.from({ length: 13 }, (_, i) => daysOfMonth(zone, monthsAfter(first, i)).bounds[0]!)
}
