import { describe, expect, it } from 'vitest'
import { digestPeriod, hourPeriod } from '../../../src/domain/time/periods.js'

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
    // Clocks went forward on the Sunday before: seven o'clock is an hour earlier in UTC than last week.
    ['2026-03-30T06:00:00Z', 'Europe/London', '2026-03-30'],
    ['2026-10-26T06:00:00Z', 'Europe/London', '2026-10-19'],
    ['2027-01-01T12:00:00Z', 'UTC', '2026-12-28'],
  ])('of the digest at %s in %s is the week of %s', (now, zone, monday) => {
    expect(digestPeriod(at(now), zone)).toBe(monday)
  })
})
