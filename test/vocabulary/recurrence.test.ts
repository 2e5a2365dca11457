import { describe, expect, it } from 'vitest'
import { dateIn, wallClock } from '../../src/vocabulary/time/calendar.js'
import {
  occurrences,
  type Recurrence,
  recurrences,
  windowProblem,
} from '../../src/vocabulary/time/recurrence.js'
import { on } from './wallTime.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const at = (text: string) => Date.parse(text)

function written(zone: string, instant: number): string {
  const { hour, minute } = wallClock(zone, instant)
  return `${dateIn(zone, instant)} ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/**
 * The window and the dates expected of it from one day to another, each as
 * `start – end` on the wall.
 */
type Example = {
  what: string
  zone: string
  window: string
  recurrence: Recurrence
  from: string
  to: string
  expected: string[]
}

describe('a window on the wall clock', () => {
  it.each<Example>([
    {
      what: 'starts and ends later by as much as the clock is put forward when the gap swallows it whole',
      zone: 'Europe/Berlin',
      window: '2026-03-22T02:15 – 2026-03-22T02:45',
      recurrence: 'weekly',
      from: '2026-03-23',
      to: '2026-04-06',
      expected: ['2026-03-29 03:15 – 2026-03-29 03:45', '2026-04-05 02:15 – 2026-04-05 02:45'],
    },
    {
      what: 'keeps its length when the gap would put the end before the start',
      zone: 'Europe/Berlin',
      window: '2026-03-22T02:30 – 2026-03-22T03:15',
      recurrence: 'weekly',
      from: '2026-03-23',
      to: '2026-04-06',
      expected: ['2026-03-29 03:30 – 2026-03-29 04:15', '2026-04-05 02:30 – 2026-04-05 03:15'],
    },
    {
      what: 'is still found after its wall-clock end when the gap puts that end off',
      zone: 'Europe/Berlin',
      window: '2026-03-22T01:00 – 2026-03-22T02:30',
      recurrence: 'weekly',
      from: '2026-03-29T03:15',
      to: '2026-03-29T09:00',
      expected: ['2026-03-29 01:00 – 2026-03-29 03:30'],
    },
    {
      what: 'moves a monthly start in the gap forward',
      zone: 'Africa/Cairo',
      window: '2024-03-26T00:00 – 2024-03-26T04:00',
      recurrence: 'monthly',
      from: '2024-04-01',
      to: '2024-06-01',
      expected: ['2024-04-26 01:00 – 2024-04-26 04:00', '2024-05-26 00:00 – 2024-05-26 04:00'],
    },
    {
      what: 'falls on the last day of shorter months and comes back to its own',
      zone: 'Europe/Berlin',
      window: '2027-12-31T22:00 – 2028-01-01T02:00',
      recurrence: 'monthly',
      from: '2028-01-15',
      to: '2028-04-15',
      expected: [
        '2028-01-31 22:00 – 2028-02-01 02:00',
        '2028-02-29 22:00 – 2028-03-01 02:00',
        '2028-03-31 22:00 – 2028-04-01 02:00',
      ],
    },
    {
      what: 'is found when a short February carries its end a month further than the first one',
      zone: 'Europe/Berlin',
      window: '2024-01-03T12:00 – 2024-01-31T12:00',
      recurrence: 'monthly',
      from: '2024-03-01',
      to: '2024-03-03',
      expected: ['2024-02-03 12:00 – 2024-03-02 12:00'],
    },
    {
      what: 'is found 80 years after it began',
      zone: 'Europe/Berlin',
      window: '1970-01-31T09:00 – 1970-01-31T10:00',
      recurrence: 'monthly',
      from: '2050-02-01',
      to: '2050-03-01',
      expected: ['2050-02-28 09:00 – 2050-02-28 10:00'],
    },
  ])('$what', ({ zone, window, recurrence, from, to, expected }) => {
    const [startsAt, endsAt] = window.split(' – ').map((wall) => on(zone, wall)) as [number, number]
    const found = occurrences({ startsAt, endsAt, recurrence }, zone, on(zone, from), on(zone, to))
    expect(found.map(({ start, end }) => `${written(zone, start)} – ${written(zone, end)}`)).toEqual(expected)
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
