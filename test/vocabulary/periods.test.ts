import { describe, expect, it } from 'vitest'
import { yearBefore as yearBeforeOf, yearUpTo } from '../../src/status/rules/yearFigures.js'
import { digestPeriod, hourPeriod } from '../../src/vocabulary/jobs.js'
import { tableOf } from '../support/tables.js'

const at = (iso: string) => Date.parse(iso)

/** The Monday of the week whose digest is due at an instant. */
type DigestWeek = { now: string; zone: string; monday: string }
/** The part of the year before that a year up to now is compared with. */
type YearAndTheYearBefore = {
  what: string
  zone: string
  year: number
  now: string
  yearBefore: { start: string; end: string }
}

describe('the period of a scheduled run', () => {
  it('of the sweep is the hour', () => {
    expect(hourPeriod(at('2026-03-29T01:59:59Z'))).toBe('2026-03-29T01')
    expect(hourPeriod(at('2026-03-29T02:00:00Z'))).toBe('2026-03-29T02')
  })

  it.each(tableOf<DigestWeek>('digestWeeks'))(
    'of the digest at $now in $zone is the week of $monday',
    ({ now, zone, monday }) => {
      expect(digestPeriod(at(now), zone)).toBe(monday)
    },
  )
})

describe('a year up to now, and the one before', () => {
  it.each(tableOf<YearAndTheYearBefore>('yearsAndTheYearBefore'))(
    'that $what: $year in $zone at $now',
    ({ zone, year, now, yearBefore: { start, end } }) => {
      const span = yearUpTo(zone, year, at(now))
      const before = yearBeforeOf(zone, span)
      expect([span.year, before.year]).toEqual([year, year - 1])
      expect([before.start, before.end]).toEqual([at(start), at(end)])
      expect([span.months.length, span.start]).toEqual([13, span.months[0]])
      expect(span.end).toBe(Math.min(at(now), span.months[12]!))
      expect(before.months[12]).toBe(span.start)
    },
  )
})
