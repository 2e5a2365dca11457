import { describe, expect, it } from 'vitest'
import { lastDays, wallClock } from '../../../src/domain/time/calendar.js'
import { perRun } from '../../support/suite/extent.js'

const DAY = 86_400_000
const every = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
/** Of the quick run one zone in eight: all lengths of a day and both hemispheres are among them. */
const zones = perRun({ quick: every.filter((_, i) => i % 8 === 0), whole: every })
const at = (text: string) => Date.parse(text)

function consecutive(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => new Date(at(first) + i * DAY).toISOString().slice(0, 10))
}

const fiveYears = 5 * 365 + 1
const expectedDates = consecutive('2022-01-01', fiveYears)

function fiveYearsOf(zone: string) {
  return lastDays(zone, at('2026-12-31T12:00:00Z') - wallOffset(zone, at('2026-12-31T12:00:00Z')), fiveYears)
}

function wallOffset(zone: string, instant: number): number {
  const { year, month, day, hour, minute } = wallClock(zone, instant)
  return Date.UTC(year, month - 1, day, hour, minute) - instant
}

describe('lastDays in every zone, on every day of five years', () => {
  it('lists consecutive dates', () => {
    for (const zone of zones) expect(fiveYearsOf(zone).dates, zone).toEqual(expectedDates)
  })

  it('puts the bounds where the runtime changes the date', () => {
    for (const zone of zones) {
      // The independent reading: the runtime's own formatter, which writes YYYY-MM-DD in this locale.
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
      const date = (instant: number) => format.format(instant)
      const { dates, bounds } = fiveYearsOf(zone)
      const wrong = dates.filter(
        (expected, i) =>
          !(
            bounds[i]! < bounds[i + 1]! &&
            date(bounds[i]!) === expected &&
            date(bounds[i + 1]! - 1) === expected
          ),
      )
      expect(wrong, zone).toEqual([])
    }
  })

  it('gives exactly 90 of them on the first and the last moment of each day', () => {
    // Zones whose days have the same lengths differ by a constant only: one of each kind is enough.
    const kinds = new Map(zones.map((zone) => [lengths(fiveYearsOf(zone).bounds).join(), zone]))
    expect(kinds.size).toBeGreaterThan(perRun({ quick: 5, whole: 20 }))
    for (const zone of kinds.values()) expect(wrongDays(zone, 90), zone).toEqual([])
  })
})

function lengths(bounds: readonly number[]): number[] {
  return bounds.slice(1).map((bound, i) => bound - bounds[i]!)
}

function wrongDays(zone: string, count: number): string[] {
  const { dates, bounds } = fiveYearsOf(zone)
  return dates.filter((_, i) => {
    if (i < count - 1) return false
    const days = lastDays(zone, bounds[i]!, count)
    if (days !== lastDays(zone, bounds[i + 1]! - 1, count)) return true
    const first = i - count + 1
    return !(sameFrom(days.dates, dates, first, count) && sameFrom(days.bounds, bounds, first, count + 1))
  })
}

function sameFrom<T>(part: readonly T[], whole: readonly T[], offset: number, length: number): boolean {
  return part.length === length && part.every((value, i) => value === whole[offset + i])
}
