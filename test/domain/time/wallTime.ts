import { instantOf } from '../../../src/domain/time/calendar.js'

/** A wall time written `2026-03-22T02:30` as an instant of the zone. */
export function on(zone: string, wall: string): number {
  const [year, month, day, hour, minute] = wall.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return instantOf(zone, { year, month, day, hour, minute })
}
