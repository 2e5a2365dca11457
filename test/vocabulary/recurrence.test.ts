import { describe, expect, it } from 'vitest'
import { dateIn, wallClock } from '../../src/vocabulary/time/calendar.js'
import {
  occurrences,
  type Recurrence,
  recurrences,
  windowProblem,
} from '../../src/vocabulary/time/recurrence.js'
import { tableOf } from '../support/tables.js'
import { on } from './wallTime.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

describe('a window on the wall clock', () => {
  it.each(tableOf<Example>('repeatingWork'))('$what', ({ zone, window, recurrence, from, to, expected }) => {
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

function at(text: string) {
  return Date.parse(text)
}

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
