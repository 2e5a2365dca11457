import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateIn, instantOf, isZone, lastDays, wallClock } from '../../src/vocabulary/time/calendar.js'
import { perRun } from '../support/run/extent.js'
import { tableOf } from '../support/tables.js'
import { on } from './wallTime.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]

const formatters = new Map<string, Intl.DateTimeFormat>()

describe('isZone', () => {
  it.each(tableOf<ZoneName>('zoneNames'))('of $name is $isZone', ({ name, isZone: expected }) => {
    expect(isZone(name)).toBe(expected)
  })

  it('takes every zone the runtime lists', () => {
    expect(zones.filter((zone) => !isZone(zone))).toEqual([])
  })
})

/** How long a date lasts in a zone whose clocks were changed on it. */
type DayLength = { zone: string; date: string; hours: number }
/** The instant at which a date begins that has no midnight. */
type DayWithoutMidnight = { zone: string; date: string; begins: string }

describe('lastDays at the odd dates', () => {
  it.each(tableOf<DayLength>('dayLengths'))('$zone: $date lasts $hours hours', ({ zone, date, hours }) => {
    const { dates, bounds } = lastDays(zone, noonOf(zone, date), 1)
    expect([dates, bounds[1]! - bounds[0]!]).toEqual([[date], hours * HOUR])
  })

  it.each(tableOf<DayWithoutMidnight>('daysWithoutMidnight'))(
    '$zone: $date has no midnight and begins at $begins',
    ({ zone, date, begins }) => {
      const { dates, bounds } = lastDays(zone, at(begins), 90)
      expect([dates[89], bounds[89], wallClock(zone, at(begins)).hour]).toEqual([date, at(begins), 1])
      expect(lastDays(zone, at(begins) - 1, 90).bounds[90]).toBe(at(begins))
    },
  )

  it('begins a day with two midnights at the first', () => {
    expect(lastDays('America/Havana', at('2024-11-03T12:00:00Z'), 1).bounds[0]).toBe(
      at('2024-11-03T04:00:00Z'),
    )
  })

  it('begins a day at the end of a gap around its midnight', () => {
    expect(lastDays('America/Toronto', at('1919-03-31T12:00:00Z'), 1).bounds[0]).toBe(
      at('1919-03-31T04:30:00Z'),
    )
  })

  it('lists the date Apia skipped with no length', () => {
    const change = at('2011-12-30T10:00:00Z')
    const before = lastDays('Pacific/Apia', change - 1, 2)
    const after = lastDays('Pacific/Apia', change, 3)
    expect(before.dates).toEqual(['2011-12-28', '2011-12-29'])
    expect(before.bounds[2]).toBe(change)
    expect(after.dates).toEqual(['2011-12-29', '2011-12-30', '2011-12-31'])
    expect(after.bounds).toEqual([change - DAY, change, change, change + DAY])
  })

  it('stays with the later date when clocks are set back over midnight', () => {
    const secondPass = at('2010-11-07T03:00:00Z')
    expect(dateIn('America/St_Johns', secondPass)).toBe('2010-11-06')
    const { dates, bounds } = lastDays('America/St_Johns', secondPass, 2)
    expect(dates).toEqual(['2010-11-06', '2010-11-07'])
    expect(bounds[1]).toBe(at('2010-11-07T02:30:00Z'))
    expect(bounds[2]).toBe(at('2010-11-08T03:30:00Z'))
  })

  it('is the same frozen object until midnight and another after it', () => {
    const midnight = at('2026-05-01T22:00:00Z')
    const days = lastDays('Europe/Berlin', midnight - DAY, 90)
    expect(lastDays('Europe/Berlin', midnight - 1, 90)).toBe(days)
    expect(lastDays('Europe/Berlin', midnight, 90).dates).toEqual([...days.dates.slice(1), '2026-05-02'])
    expect(lastDays('Europe/Berlin', midnight - 1, 90)).toEqual(days)
    expect([days, days.dates, days.bounds].every(Object.isFrozen)).toBe(true)
  })

  it('holds now in its last day and agrees with the runtime, 1971 to 2099', () => {
    const instant = fc.integer({ min: at('1971-01-01'), max: at('2099-12-31') })
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        instant,
        fc.integer({ min: 1, max: 400 }),
        (zone, now, count) => {
          const { dates, bounds } = lastDays(zone, now, count)
          expect(dates).toEqual(consecutive(dates[0]!, count))
          expect(bounds[count - 1]! <= now && now < bounds[count]!).toBe(true)
          expect(
            dates.filter((date, i) => bounds[i]! < bounds[i + 1]! && oracleDate(zone, bounds[i]!) !== date),
          ).toEqual([])
        },
      ),
      { numRuns: perRun({ quick: 12, whole: 60 }) },
    )
  })
})

/** Of the quick run one zone in eight: all lengths of a day and both hemispheres are among them. */
const someZones = perRun({ quick: zones.filter((_, i) => i % 8 === 0), whole: zones })
const fiveYears = 5 * 365 + 1
const expectedDates = consecutive('2022-01-01', fiveYears)

const fiveYearsOf = (zone: string) => lastDays(zone, noonOf(zone, '2026-12-31'), fiveYears)

describe('lastDays in every zone, on every day of five years', () => {
  it('lists consecutive dates', () => {
    for (const zone of someZones) expect(fiveYearsOf(zone).dates, zone).toEqual(expectedDates)
  })

  it('puts the bounds where the runtime changes the date', () => {
    for (const zone of someZones) {
      const date = (instant: number) => oracleDate(zone, instant)
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
    const kinds = new Map(someZones.map((zone) => [lengths(fiveYearsOf(zone).bounds).join(), zone]))
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

/** What a clock on the wall shows in a zone, and the first instant at which it does. */
type WallTime = { what: string; zone: string; wall: string; instant: string }

describe('wall clocks', () => {
  it.each(tableOf<WallTime>('wallTimes'))('instantOf takes $what', ({ zone, wall, instant }) => {
    expect(new Date(on(zone, wall)).toISOString()).toBe(new Date(instant).toISOString())
  })

  it('reads seconds and milliseconds both ways', () => {
    const wall = { year: 2026, month: 12, day: 31, hour: 23, minute: 59, second: 58, millisecond: 987 }
    expect(wallClock('Asia/Kolkata', instantOf('Asia/Kolkata', wall))).toEqual(wall)
    expect(instantOf('Asia/Kolkata', wall)).toBe(at('2026-12-31T18:29:58.987Z'))
  })

  it('agrees with the runtime, and an instant is the first of those that read the same', () => {
    const instant = fc.integer({ min: at('1971-01-01'), max: at('2099-12-31') })
    fc.assert(
      fc.property(fc.constantFrom(...zones), instant, (zone, now) => {
        const wall = wallClock(zone, now)
        expect(written(wall)).toBe(reading(zone, now))
        const first = instantOf(zone, wall)
        expect(first <= now && written(wallClock(zone, first)) === written(wall)).toBe(true)
        expect(dateIn(zone, now)).toBe(oracleDate(zone, now))
      }),
      { numRuns: perRun({ quick: 30, whole: 150 }) },
    )
  })

  it('refuses a zone it does not know and an instant that is none', () => {
    expect(() => dateIn('Europe/Atlantis', 0)).toThrow(RangeError)
    expect(() => lastDays('+02:00', 0, 90)).toThrow(RangeError)
    expect(() => wallClock('UTC', Number.NaN)).toThrow(RangeError)
  })
})

function written({ year, month, day, hour, minute, second }: ReturnType<typeof wallClock>): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

function reading(zone: string, instant: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    instant,
  )
}

function at(text: string) {
  return Date.parse(text)
}

/**
 * The independent reading of a calendar: the runtime's own formatter, which writes
 * YYYY-MM-DD in this locale.
 */
function oracleDate(zone: string, instant: number): string {
  const format = formatters.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  formatters.set(zone, format)
  return format.format(instant)
}

function consecutive(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => new Date(at(first) + i * DAY).toISOString().slice(0, 10))
}

function wallOffset(zone: string, instant: number): number {
  const { year, month, day, hour, minute } = wallClock(zone, instant)
  return Date.UTC(year, month - 1, day, hour, minute) - instant
}

function noonOf(zone: string, date: string) {
  const noon = at(`${date}T12:00:00Z`)
  return noon - wallOffset(zone, noon)
}

/** A name that a building may give as its time zone, or may not. */
type ZoneName = { name: string; isZone: boolean }
