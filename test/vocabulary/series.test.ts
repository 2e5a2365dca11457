import { describe, expect, it } from 'vitest'
import { occurrences, windowProblem } from '../../src/vocabulary/time/recurrence.js'
import {
  datesAhead,
  lastBegun,
  nextBegin,
  plannedOn,
  samePast,
  timesOn,
} from '../../src/vocabulary/time/series.js'

const DAY = 86_400_000

describe('the last day', () => {
  it('is included, on the day of a clock change too, where the gap puts its work off', () => {
    const berlin = { ...weekly, startsAt: at('2026-03-15T01:30Z'), endsAt: at('2026-03-15T03:00Z') }
    const found = (until: string) => occurrences({ ...berlin, until }, 'Europe/Berlin', -Infinity, Infinity)
    expect(text(found('2026-03-29'))).toEqual([
      '2026-03-15T01:30:00.000Z 2026-03-15T03:00:00.000Z',
      '2026-03-22T01:30:00.000Z 2026-03-22T03:00:00.000Z',
      '2026-03-29T01:30:00.000Z 2026-03-29T02:00:00.000Z',
    ])
    expect(found('2026-03-28').length).toBe(2)
  })

  it('counts the day on the wall, where the clock change carries the work into the next', () => {
    const nuuk = { ...weekly, startsAt: at('2024-03-24T01:30Z'), endsAt: at('2024-03-24T01:45Z') }
    const found = occurrences({ ...nuuk, until: '2024-03-30' }, 'America/Nuuk', -Infinity, Infinity)
    expect(text(found).at(-1)).toBe('2024-03-31T01:30:00.000Z 2024-03-31T01:45:00.000Z')
    expect(found.length).toBe(2)
  })

  it.each([
    ['2026-03-07', 'weekly', 'until_before_start'],
    ['2026-03-08', 'weekly', null],
    ['2026-03-08', 'none', 'until_without_repeat'],
    [null, 'none', null],
  ] as const)('%s of %s work is %s', (until, recurrence, problem) => {
    expect(windowProblem({ ...weekly, recurrence, until }, 'UTC')).toBe(problem)
  })
})

describe('a date of a series', () => {
  it('is skipped, the first too, and moved over the next one or into another month', () => {
    const exceptions = [
      { date: '2026-03-08', startsAt: null, endsAt: null },
      { date: '2026-03-15', startsAt: at('2026-03-22T03:00Z'), endsAt: at('2026-03-22T05:00Z') },
      { date: '2026-03-29', startsAt: at('2026-05-01T03:00Z'), endsAt: at('2026-05-01T05:00Z') },
    ]
    expect(
      text(occurrences({ ...weekly, exceptions, until: '2026-03-29' }, 'UTC', -Infinity, Infinity)),
    ).toEqual([
      '2026-03-22T02:30:00.000Z 2026-03-22T04:00:00.000Z',
      '2026-03-22T03:00:00.000Z 2026-03-22T05:00:00.000Z',
      '2026-05-01T03:00:00.000Z 2026-05-01T05:00:00.000Z',
    ])
    const ahead = datesAhead({ ...weekly, exceptions }, 'UTC', at('2026-03-16T00:00Z'), 3)
    expect(ahead.map(({ date, state }) => `${date} ${state}`)).toEqual([
      '2026-03-22 planned',
      '2026-03-15 moved',
      '2026-04-05 planned',
      '2026-03-29 moved',
    ])
    expect(timesOn({ ...weekly, exceptions }, plannedOn(weekly, 'UTC', '2026-03-08')!)).toBeNull()
  })

  it('is found by the local day of its plan, and no other', () => {
    expect(plannedOn(weekly, 'UTC', '2026-03-15')?.start).toBe(weekly.startsAt + 7 * DAY)
    expect(plannedOn(weekly, 'Asia/Tokyo', '2026-03-15')?.start).toBe(weekly.startsAt + 7 * DAY)
    expect(plannedOn(weekly, 'UTC', '2026-03-14')).toBeNull()
    expect(plannedOn({ ...weekly, until: '2026-03-14' }, 'UTC', '2026-03-15')).toBeNull()
  })
})

describe('what has begun of a series', () => {
  const now = at('2026-03-18T00:00Z')

  it('ends with the last date that has come, be it skipped or put off', () => {
    const skipped = [{ date: '2026-03-15', startsAt: null, endsAt: null }]
    expect(lastBegun(weekly, 'UTC', now)).toBe('2026-03-15')
    expect(lastBegun({ ...weekly, exceptions: skipped }, 'UTC', now)).toBe('2026-03-15')
    expect(lastBegun(weekly, 'UTC', weekly.startsAt - 1)).toBeNull()
    const early = [{ date: '2026-03-15', startsAt: weekly.startsAt - DAY, endsAt: weekly.startsAt }]
    expect(lastBegun({ ...weekly, exceptions: early }, 'UTC', weekly.startsAt - 1)).toBe('2026-03-15')
  })

  it('is followed by the first date after it that is to come', () => {
    expect(nextBegin(weekly, 'UTC', now, '2026-03-15')?.start).toBe(at('2026-03-22T02:30Z'))
    const later = { ...weekly, startsAt: at('2026-03-18T09:00Z'), endsAt: at('2026-03-18T10:00Z') }
    expect(nextBegin(later, 'UTC', now, '2026-03-18')?.start).toBe(at('2026-03-25T09:00Z'))
    expect(nextBegin({ ...weekly, until: '2026-03-21' }, 'UTC', now, '2026-03-15')).toBeNull()
  })

  it('is the same when only its end in the future differs', () => {
    const was = [{ start: now - 2, end: now + 2 }]
    expect(samePast(was, [{ start: now - 2, end: now }], now)).toBe(true)
    expect(samePast(was, [{ start: now - 2, end: now - 1 }], now)).toBe(false)
    expect(samePast(was, [], now)).toBe(false)
    expect(samePast([], [{ start: now, end: now + 1 }], now)).toBe(true)
  })
})

function at(text: string) {
  return Date.parse(text)
}

const weekly = {
  startsAt: at('2026-03-08T02:30Z'),
  endsAt: at('2026-03-08T04:00Z'),
  recurrence: 'weekly',
} as const

function text(found: { start: number; end: number }[]) {
  return found.map(({ start, end }) => `${new Date(start).toISOString()} ${new Date(end).toISOString()}`)
}
