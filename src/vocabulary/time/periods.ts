import { daysOfMonth, instantOf, monthsAfter, wallClock } from './calendar.js'
import { DAY } from './durations.js'

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
  const { year, month, day, hour } = wallClock(zone, now)
  const today = Date.UTC(year, month - 1, day)
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7
  const early = sinceMonday === 0 && hour < digestHour ? 7 : 0
  return new Date(today - (sinceMonday + early) * DAY).toISOString().slice(0, 10)
}

/**
 * A calendar year of the zone, as far as it has come by `now`, and the same stretch of the year
 * before. Epoch ms; `months` are the bounds of the year's twelve months.
 */
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

/** A stretch that begins with a year. */
export type YearSpan = { year: number; months: readonly number[]; start: number; end: number }

function monthBounds(zone: string, year: number): number[] {
  const first = `${year}-01`
  return Array.from({ length: 13 }, (_, i) => daysOfMonth(zone, monthsAfter(first, i)).bounds[0]!)
}
