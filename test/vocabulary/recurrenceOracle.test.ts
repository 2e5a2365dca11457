import fc from 'fast-check'
import { IANAZone } from 'luxon'
import { describe, expect, it } from 'vitest'
import { dateText } from '../../src/vocabulary/time/calendar.js'
import type { Interval } from '../../src/vocabulary/time/intervals.js'
import {
  occurrences,
  overAt,
  plannedDates,
  recurrences,
  type WindowException,
} from '../../src/vocabulary/time/recurrence.js'
import { begunOccurrences, nextOccurrences } from '../../src/vocabulary/time/series.js'
import { perRun } from '../support/run/extent.js'
import { on } from './wallTime.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

describe('occurrences', () => {
  it('equal those of a generator that steps from the very first', () => {
    const cases = fc.record({
      zone: fc.constantFrom(...restless),
      recurrence: fc.constantFrom(...recurrences),
      startsAt: quarters(at('2008-01-01') / (15 * MINUTE), at('2028-01-01') / (15 * MINUTE)),
      length: fc.oneof(quarters(1, 24), quarters(1, 28 * 96), quarters(1, 80 * 96)),
      lead: quarters(-60 * 96, 500 * 96),
      range: quarters(0, 150 * 96),
    })
    fc.assert(
      fc.property(cases, ({ zone, recurrence, startsAt, length, lead, range }) => {
        const window = { startsAt, endsAt: startsAt + length, recurrence }
        const from = startsAt + lead
        const to = from + range
        const expected = from < to ? naiveOccurrences(window, zone, from, to) : []
        expect(occurrences(window, zone, from, to)).toEqual(expected)
      }),
      { numRuns: perRun({ quick: 24, whole: 120 }) },
    )
  })

  it('equal those of the generator for windows in the small hours of the clock changes', () => {
    const changes = [
      ['Europe/Berlin', '2026-03-15T01:00'],
      ['Europe/Berlin', '2026-10-11T01:00'],
      ['America/Santiago', '2024-08-24T22:30'],
      ['America/Santiago', '2024-03-23T22:30'],
      ['Africa/Cairo', '2024-04-11T23:00'],
      ['Africa/Cairo', '2024-10-17T22:30'],
      ['Australia/Lord_Howe', '2025-09-21T01:00'],
      ['Australia/Lord_Howe', '2025-03-23T01:00'],
    ] as const
    const cases = fc.tuple(fc.constantFrom(...changes), quarters(0, 12), quarters(1, 12))
    fc.assert(
      fc.property(cases, ([[zone, near], later, length]) => {
        const startsAt = on(zone, near) + later
        const window = { startsAt, endsAt: startsAt + length, recurrence: 'weekly' as const }
        expect(occurrences(window, zone, startsAt, startsAt + 4 * WEEK)).toEqual(
          naiveOccurrences(window, zone, startsAt, startsAt + 4 * WEEK),
        )
      }),
      { numRuns: perRun({ quick: 30, whole: 150 }) },
    )
  })

  it('equal those of the generator with a last day, and with dates skipped and moved anywhere', () => {
    const horizon = 560 * DAY
    const cases = fc.record({
      zone: fc.constantFrom(...restless),
      recurrence: fc.constantFrom('weekly' as const, 'monthly' as const),
      startsAt: quarters(at('2008-01-01') / (15 * MINUTE), at('2028-01-01') / (15 * MINUTE)),
      length: fc.oneof(quarters(1, 24), quarters(1, 7 * 96)),
      lasts: fc.option(fc.integer({ min: 0, max: 300 })),
      changed: fc.array(
        fc.record({
          nth: fc.integer({ min: 0, max: 12 }),
          to: fc.option(fc.tuple(quarters(-40 * 96, 90 * 96), quarters(1, 200))),
        }),
        { maxLength: 6 },
      ),
      lead: quarters(-60 * 96, 200 * 96),
      range: quarters(1, 150 * 96),
    })
    fc.assert(
      fc.property(cases, ({ zone, recurrence, startsAt, length, lasts, changed, lead, range }) => {
        const series = { startsAt, endsAt: startsAt + length, recurrence }
        const first = plannedDates(series, zone, startsAt, startsAt + 1)[0]!.date
        const until = lasts === null ? null : dateText(first + lasts * DAY)
        const dates = plannedDates({ ...series, until }, zone, -Infinity, startsAt + horizon)
        const exceptions = [...new Map(changed.map((each) => [each.nth, each])).values()].flatMap(
          ({ nth, to }): WindowException[] => {
            const planned = dates[nth]
            if (!planned) return []
            const date = dateText(planned.date)
            if (to === null) return [{ date, startsAt: null, endsAt: null }]
            return [{ date, startsAt: planned.start + to[0], endsAt: planned.start + to[0] + to[1] }]
          },
        )
        const window = { ...series, until, exceptions }
        const [from, to] = [startsAt + lead, startsAt + lead + range]
        const all = naiveOccurrences(window, zone, -Infinity, startsAt + horizon)
        const within = all.filter(({ start, end }) => start < to && end > from)
        expect(occurrences(window, zone, from, to)).toEqual(within)
        expect(nextOccurrences(window, zone, from, 3)).toEqual(
          all.filter(({ end }) => end > from).slice(0, 3),
        )
        expect(begunOccurrences(window, zone, from)).toBe(all.filter(({ start }) => start < from).length)
        const last = overAt(window, zone)
        expect(last).toBe(until && Math.max(startsAt, ...all.map(({ end }) => end)))
        if (last !== null) expect(occurrences(window, zone, last, Infinity)).toEqual([])
      }),
      { numRuns: perRun({ quick: 16, whole: 80 }) },
    )
  })

  it('of noon to one stay at noon to one in every zone', () => {
    for (const zone of perRun({ quick: { every: 8 }, whole: Intl.supportedValuesOf('timeZone') })) {
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short', hourCycle: 'h23' })
      const window = { startsAt: on(zone, '2024-01-31T12:00'), endsAt: on(zone, '2024-01-31T13:00') }
      for (const [recurrence, count] of [
        ['weekly', 105],
        ['monthly', 24],
      ] as const) {
        const found = occurrences(
          { ...window, recurrence },
          zone,
          window.startsAt,
          on(zone, '2026-01-31T12:00'),
        )
        const clocks = found.map(({ start, end }) => `${clock.format(start)}–${clock.format(end)}`)
        expect([clocks.length, ...new Set(clocks)], `${zone} ${recurrence}`).toEqual([count, '12:00–13:00'])
      }
    }
  })
})

function at(text: string) {
  return Date.parse(text)
}

// A second opinion on wall clocks, from the zone data alone: of all offsets the zone has
// around that time, those that read the wanted wall time there; none in a gap, where the
// offset before it is the lesser.
function naiveInstant(zone: IANAZone, wall: number): number {
  const around = Array.from({ length: 11 }, (_, i) => zone.offset(wall + (i - 5) * 3 * HOUR) * MINUTE)
  const exact = around.map((offset) => wall - offset).filter((t) => t + zone.offset(t) * MINUTE === wall)
  return exact.length > 0 ? Math.min(...exact) : wall - Math.min(...around)
}

function naiveMonthsLater(wall: number, months: number): number {
  const date = new Date(wall)
  const asked = [date.getUTCFullYear(), date.getUTCMonth() + months] as const
  const lastDay = new Date(Date.UTC(asked[0], asked[1] + 1, 0)).getUTCDate()
  return Date.UTC(...asked, Math.min(date.getUTCDate(), lastDay)) + (wall - Math.floor(wall / DAY) * DAY)
}

type Window = Parameters<typeof occurrences>[0]

// One occurrence after the other from the very first, however far away the range is.
function naiveOccurrences(
  { startsAt, endsAt, recurrence, until, exceptions = [] }: Window,
  name: string,
  from: number,
  to: number,
): Interval[] {
  const zone = IANAZone.create(name)
  const wall = (instant: number) => instant + zone.offset(instant) * MINUTE
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const found = [{ start: startsAt, end: endsAt, day: dayOf(wall(startsAt)) }]
  for (let n = 1; recurrence !== 'none' && found.at(-1)!.start < to; n++) {
    const first = recurrence === 'weekly' ? wall(startsAt) + n * WEEK : naiveMonthsLater(wall(startsAt), n)
    const start = naiveInstant(zone, first)
    const end = naiveInstant(zone, first + wall(endsAt) - wall(startsAt))
    found.push({ start, end: end > start ? end : start + endsAt - startsAt, day: dayOf(first) })
  }
  return [
    ...found
      .filter(({ day }) => !until || day <= until)
      .filter(({ day }) => !exceptions.some((x) => x.date === day)),
    ...exceptions.flatMap((x) => (x.startsAt === null ? [] : [{ start: x.startsAt, end: x.endsAt }])),
  ]
    .filter(({ start, end }) => start < to && end > from)
    .map(({ start, end }) => ({ start, end }))
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

function quarters(min: number, max: number) {
  return fc.integer({ min, max }).map((n) => n * 15 * MINUTE)
}

const restless = [
  'Europe/Berlin',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/New_York',
  'Asia/Beirut',
  'Pacific/Apia',
  'Asia/Tehran',
  'America/St_Johns',
]
