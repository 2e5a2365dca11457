import { DAY, wallClock } from './time/calendar.js'

/** The scheduled jobs. */
export const jobNames = ['sweep', 'digest', 'tidy', 'tick'] as const

/** Runs of a backup are recorded as well, and no schedule of ours starts one. */
export type Job = (typeof jobNames)[number] | 'backup'

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
