import { describe, expect, it } from 'vitest'
import {
  occurrences,
  type Recurrence,
  recurrences,
  windowProblem,
} from '../../../src/domain/maintenance/recurrence.js'
import { dateIn, wallClock } from '../../../src/domain/time/calendar.js'
import { on } from '../time/wallTime.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const at = (text: string) => Date.parse(text)

function written(zone: string, instant: number): string {
  const { hour, minute } = wallClock(zone, instant)
  return `${dateIn(zone, instant)} ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

function writtenOccurrences(
  zone: string,
  starts: string,
  ends: string,
  recurrence: Recurrence,
  from: string,
  to: string,
) {
  const window = { startsAt: on(zone, starts), endsAt: on(zone, ends), recurrence }
  return occurrences(window, zone, on(zone, from), on(zone, to)).map(
    ({ start, end }) => `${written(zone, start)} – ${written(zone, end)}`,
  )
}

describe('a weekly window keeps its wall clock', () => {
  it.each([
    ['Europe/Berlin', '2026-03-21T22:00', '2026-03-22T06:00', 8, 7, 8],
    ['Europe/Berlin', '2026-10-17T22:00', '2026-10-18T06:00', 8, 9, 8],
    ['America/Santiago', '2024-08-31T22:00', '2024-09-01T06:00', 8, 7, 8],
    ['America/Santiago', '2024-03-30T22:00', '2024-03-31T06:00', 8, 9, 8],
    ['Africa/Cairo', '2024-04-18T22:00', '2024-04-19T06:00', 8, 7, 8],
    ['Africa/Cairo', '2024-10-24T22:00', '2024-10-25T06:00', 8, 9, 8],
    ['Australia/Lord_Howe', '2025-09-27T22:00', '2025-09-28T06:00', 8, 7.5, 8],
    ['Australia/Lord_Howe', '2025-03-29T22:00', '2025-03-30T06:00', 8, 8.5, 8],
  ])('%s: from %s to %s it lasts %s, %s and %s hours', (zone, starts, ends, ...hours) => {
    const window = { startsAt: on(zone, starts), endsAt: on(zone, ends), recurrence: 'weekly' as const }
    const found = occurrences(window, zone, window.startsAt, window.startsAt + 3 * WEEK - DAY)
    expect(found.map(({ start, end }) => (end - start) / HOUR)).toEqual(hours)
    const clocks = found.map(({ start, end }) => [wallClock(zone, start).hour, wallClock(zone, end).hour])
    expect(clocks).toEqual([
      [22, 6],
      [22, 6],
      [22, 6],
    ])
  })

  it('starts and ends later by as much as the clock was put forward when the gap swallows it whole', () => {
    expect(
      writtenOccurrences(
        'Europe/Berlin',
        '2026-03-22T02:15',
        '2026-03-22T02:45',
        'weekly',
        '2026-03-23T00:00',
        '2026-04-06T00:00',
      ),
    ).toEqual(['2026-03-29 03:15 – 2026-03-29 03:45', '2026-04-05 02:15 – 2026-04-05 02:45'])
  })

  it('keeps its length when the gap would put the end before the start', () => {
    expect(
      writtenOccurrences(
        'Europe/Berlin',
        '2026-03-22T02:30',
        '2026-03-22T03:15',
        'weekly',
        '2026-03-23T00:00',
        '2026-04-06T00:00',
      ),
    ).toEqual(['2026-03-29 03:30 – 2026-03-29 04:15', '2026-04-05 02:30 – 2026-04-05 03:15'])
  })

  it('is still found after its wall-clock end when the gap puts that end off', () => {
    expect(
      writtenOccurrences(
        'Europe/Berlin',
        '2026-03-22T01:00',
        '2026-03-22T02:30',
        'weekly',
        '2026-03-29T03:15',
        '2026-03-29T09:00',
      ),
    ).toEqual(['2026-03-29 01:00 – 2026-03-29 03:30'])
  })

  it('takes the first of two equal wall times', () => {
    const window = {
      startsAt: on('Europe/Berlin', '2026-10-18T02:00'),
      endsAt: on('Europe/Berlin', '2026-10-18T02:30'),
      recurrence: 'weekly' as const,
    }
    expect(
      occurrences(window, 'Europe/Berlin', at('2026-10-25T00:00:00Z'), at('2026-10-26T00:00:00Z')),
    ).toEqual([{ start: at('2026-10-25T00:00:00Z'), end: at('2026-10-25T00:30:00Z') }])
  })

  it('is at first the window itself, even in the second of two equal hours', () => {
    const window = {
      startsAt: at('2026-10-25T01:15:00Z'),
      endsAt: at('2026-10-25T02:15:00Z'),
      recurrence: 'weekly' as const,
    }
    expect(occurrences(window, 'Europe/Berlin', window.startsAt, window.startsAt + WEEK + DAY)).toEqual([
      { start: window.startsAt, end: window.endsAt },
      { start: at('2026-11-01T01:15:00Z'), end: at('2026-11-01T02:15:00Z') },
    ])
  })

  it('keeps its length when it began in the first and ended in the second of two equal hours', () => {
    const window = {
      startsAt: at('2026-10-25T00:45:00Z'),
      endsAt: at('2026-10-25T01:15:00Z'),
      recurrence: 'weekly' as const,
    }
    expect(
      occurrences(window, 'Europe/Berlin', at('2026-11-01T00:00:00Z'), at('2026-11-02T00:00:00Z')),
    ).toEqual([{ start: at('2026-11-01T01:45:00Z'), end: at('2026-11-01T02:15:00Z') }])
  })
})

describe('a monthly window', () => {
  it('falls on the last day of shorter months and comes back to its own', () => {
    expect(
      writtenOccurrences(
        'Europe/Berlin',
        '2027-12-31T22:00',
        '2028-01-01T02:00',
        'monthly',
        '2028-01-15T00:00',
        '2028-07-01T00:00',
      ),
    ).toEqual([
      '2028-01-31 22:00 – 2028-02-01 02:00',
      '2028-02-29 22:00 – 2028-03-01 02:00',
      '2028-03-31 22:00 – 2028-04-01 02:00',
      '2028-04-30 22:00 – 2028-05-01 02:00',
      '2028-05-31 22:00 – 2028-06-01 02:00',
      '2028-06-30 22:00 – 2028-07-01 02:00',
    ])
  })

  it.each([
    ['2026-01-29', ['2026-02-28', '2026-03-29']],
    ['2026-01-30', ['2026-02-28', '2026-03-30']],
    ['2024-01-30', ['2024-02-29', '2024-03-30']],
    ['2026-01-28', ['2026-02-28', '2026-03-28']],
  ])('of %s comes on %s', (date, expected) => {
    const startsAt = on('America/Santiago', `${date}T08:00`)
    const found = occurrences(
      { startsAt, endsAt: startsAt + HOUR, recurrence: 'monthly' },
      'America/Santiago',
      startsAt + HOUR,
      startsAt + 65 * DAY,
    )
    expect(found.map(({ start }) => dateIn('America/Santiago', start))).toEqual(expected)
  })

  it('moves a start in the gap forward', () => {
    expect(
      writtenOccurrences(
        'Africa/Cairo',
        '2024-03-26T00:00',
        '2024-03-26T04:00',
        'monthly',
        '2024-04-01T00:00',
        '2024-06-01T00:00',
      ),
    ).toEqual(['2024-04-26 01:00 – 2024-04-26 04:00', '2024-05-26 00:00 – 2024-05-26 04:00'])
  })

  it('is found when a short February carries its end a month further than the first one', () => {
    expect(
      writtenOccurrences(
        'Europe/Berlin',
        '2024-01-03T12:00',
        '2024-01-31T12:00',
        'monthly',
        '2024-03-01T00:00',
        '2024-03-03T00:00',
      ),
    ).toEqual(['2024-02-03 12:00 – 2024-03-02 12:00'])
  })

  it('is found 80 years after it began', () => {
    expect(
      writtenOccurrences(
        'Europe/Berlin',
        '1970-01-31T09:00',
        '1970-01-31T10:00',
        'monthly',
        '2050-02-01T00:00',
        '2050-03-01T00:00',
      ),
    ).toEqual(['2050-02-28 09:00 – 2050-02-28 10:00'])
  })
})

describe('the range', () => {
  const startsAt = at('2026-05-04T08:00:00Z')
  const window = { startsAt, endsAt: startsAt + 2 * HOUR, recurrence: 'weekly' as Recurrence }
  const starts = (from: number, to: number, recurrence: Recurrence = 'weekly') =>
    occurrences({ ...window, recurrence }, 'UTC', from, to).map(({ start }) => (start - startsAt) / WEEK)

  it.each([
    ['from the end of an occurrence, it is out', startsAt + 2 * HOUR, startsAt + WEEK, []],
    ['from the last millisecond of one, it is in, whole', startsAt + 2 * HOUR - 1, startsAt + WEEK, [0]],
    ['to the start of one, it is out', startsAt, startsAt + WEEK, [0]],
    ['to a millisecond past the start of one, it is in', startsAt, startsAt + WEEK + 1, [0, 1]],
    ['before the first there is nothing', startsAt - 10 * WEEK, startsAt, []],
    ['inside one occurrence', startsAt + 3 * WEEK + HOUR, startsAt + 3 * WEEK + HOUR + 1, [3]],
    ['an empty range has none', startsAt + HOUR, startsAt + HOUR, []],
    ['a reversed range has none', startsAt + HOUR, startsAt, []],
  ])('%s', (_, from, to, expected) => {
    expect(starts(from, to)).toEqual(expected)
  })

  it('may begin before all time', () => {
    expect(starts(-Infinity, startsAt + 1)).toEqual([0])
    expect(starts(-Infinity, startsAt + 1, 'monthly')).toEqual([0])
  })

  it('finds a window that does not repeat once, also without an end', () => {
    expect(starts(-Infinity, Infinity, 'none')).toEqual([0])
    expect(starts(startsAt + 2 * HOUR, Infinity, 'none')).toEqual([])
    expect(starts(-Infinity, startsAt, 'none')).toEqual([])
  })

  it('refuses to list a repeating window without end', () => {
    expect(() => starts(startsAt, Infinity, 'weekly')).toThrow(RangeError)
    expect(() => starts(startsAt, Infinity, 'monthly')).toThrow(RangeError)
  })

  it('has nothing of a window that ends before it starts', () => {
    for (const recurrence of recurrences) {
      expect(occurrences({ startsAt, endsAt: startsAt, recurrence }, 'UTC', 0, startsAt + WEEK)).toEqual([])
      expect(occurrences({ startsAt, endsAt: startsAt - 1, recurrence }, 'UTC', 0, startsAt + WEEK)).toEqual(
        [],
      )
    }
  })

  it('covers a hundred years of a weekly window of 1970', () => {
    const since1970 = {
      startsAt: at('1970-01-05T07:00:00Z'),
      endsAt: at('1970-01-05T09:00:00Z'),
      recurrence: 'weekly' as const,
    }
    const found = occurrences(since1970, 'Europe/Berlin', at('2000-01-01'), at('2100-01-01'))
    expect(found).toHaveLength(5218)
    expect(new Set(found.map(({ start }) => written('Europe/Berlin', start).slice(11)))).toEqual(
      new Set(['08:00']),
    )
    expect(new Set(found.map(({ start }) => new Date(start).getUTCDay()))).toEqual(new Set([1]))
  })
})

describe('windowProblem', () => {
  const startsAt = at('2026-05-04T08:00:00Z')
  it.each([
    ['none', 1, null],
    ['none', 400 * DAY, null],
    ['none', 0, 'ends_before_start'],
    ['weekly', -1, 'ends_before_start'],
    ['monthly', Number.NaN, 'ends_before_start'],
    ['weekly', 7 * DAY, null],
    ['weekly', 7 * DAY + 1, 'weekly_too_long'],
    ['monthly', 28 * DAY, null],
    ['monthly', 28 * DAY + 1, 'monthly_too_long'],
  ] as const)('of a %s window of %s ms is %s', (recurrence, length, problem) => {
    expect(windowProblem({ startsAt, endsAt: startsAt + length, recurrence }, 'UTC')).toBe(problem)
  })
})
