import { instantOf } from '../../src/vocabulary/time/calendar.js'

/**
 * A wall time written `2026-03-22T02:30`, or `2026-03-22` for its midnight,
 * as an instant of the zone.
 */
export function on(zone: string, wall: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = wall.split(/\D/).map(Number)
  return instantOf(zone, { year, month, day, hour, minute })
}
