import { describe, expect, it } from 'vitest'
import { yearBefore, yearUpTo } from '../../src/status/rules/yearFigures.js'
import { digestPeriod, hourPeriod } from '../../src/vocabulary/time/intervals.js'

const at = (iso: string) => Date.parse(iso)

describe('the period of a scheduled run', () => {
  it('of the sweep is the hour', () => {
    expect(hourPeriod(at('2026-03-29T01:59:59Z'))).toBe('2026-03-29T01')
    expect(hourPeriod(at('2026-03-29T02:00:00Z'))).toBe('2026-03-29T02')
  })

  it.each([
    ['2026-11-16T06:59:59Z', 'Europe/London', '2026-11-09'],
    ['2026-11-16T07:00:00Z', 'Europe/London', '2026-11-16'],
    ['2026-11-22T23:59:59Z', 'Europe/London', '2026-11-16'],
    ['2026-11-23T06:30:00Z', 'Europe/London', '2026-11-16'],
    ['2026-11-15T22:00:00Z', 'Asia/Tokyo', '2026-11-16'],
    ['2026-11-16T11:59:00Z', 'America/New_York', '2026-11-09'],
    ['2026-11-16T12:00:00Z', 'America/New_York', '2026-11-16'],
    // Clocks went forward on the Sunday before: seven o'clock is an hour
    // earlier in UTC than last week.
    ['2026-03-30T06:00:00Z', 'Europe/London', '2026-03-30'],
    ['2026-10-26T06:00:00Z', 'Europe/London', '2026-10-19'],
    ['2027-01-01T12:00:00Z', 'UTC', '2026-12-28'],
  ])('of the digest at %s in %s is the week of %s', (now, zone, monday) => {
    expect(digestPeriod(at(now), zone)).toBe(monday)
  })
})

describe('a year up to now, and the one before', () => {
  it.each([
    // While it runs: up to the same wall time, on the other side of a clock change, too.
    ['Europe/London', 2026, '2026-07-01T11:30:00Z', '2025-01-01T00:00:00Z', '2025-07-01T11:30:00Z'],
    ['America/New_York', 2026, '2026-03-08T16:00:00Z', '2025-01-01T05:00:00Z', '2025-03-08T17:00:00Z'],
    ['Europe/London', 2024, '2024-02-29T12:00:00Z', '2023-01-01T00:00:00Z', '2023-03-01T12:00:00Z'],
    // Once it is over: both in full.
    ['America/New_York', 2025, '2026-07-01T11:30:00Z', '2024-01-01T05:00:00Z', '2025-01-01T05:00:00Z'],
    ['Europe/London', 2026, '2027-01-01T00:00:00Z', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ])('in %s, %s at %s', (zone, year, now, start, end) => {
    const span = yearUpTo(zone, year, at(now))
    const before = yearBefore(zone, span)
    expect([span.year, before.year]).toEqual([year, year - 1])
    expect([before.start, before.end]).toEqual([at(start), at(end)])
    expect([span.months.length, span.start]).toEqual([13, span.months[0]])
    expect(span.end).toBe(Math.min(at(now), span.months[12]!))
    expect(before.months[12]).toBe(span.start)
  })
})
