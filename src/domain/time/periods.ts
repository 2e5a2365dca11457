import { wallClock } from './calendar.js'
import { DAY } from './durations.js'

/** The digest comes on Monday at this hour of the property's clock. */
const digestHour = 7

/** Which hour (UTC) a scheduled run at `now` (epoch ms) is for: of all schedulers, one runs in it. */
export function hourPeriod(now: number): string {
  return new Date(now).toISOString().slice(0, 13)
}

/**
 * Which week a scheduled digest at `now` is for, named by its Monday: from Monday 07:00 in the property's zone to the
 * next. A digest missed while nothing ran is made up for within that week; a clock change moves nothing.
 */
export function digestPeriod(now: number, zone: string): string {
  const { year, month, day, hour } = wallClock(zone, now)
  const today = Date.UTC(year, month - 1, day)
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7
  const early = sinceMonday === 0 && hour < digestHour ? 7 : 0
  return new Date(today - (sinceMonday + early) * DAY).toISOString().slice(0, 10)
}
