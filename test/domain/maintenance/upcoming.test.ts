import { describe, expect, it } from 'vitest'
import { begunOccurrences, nextOccurrences } from '../../../src/vocabulary/time/series.js'

const zone = 'Europe/London'
const at = (text: string) => Date.parse(text)
const starts = (found: { start: number }[]) => found.map(({ start }) => new Date(start).toISOString())
const once = {
  startsAt: at('2030-03-20T09:00Z'),
  endsAt: at('2030-03-20T11:00Z'),
  recurrence: 'none',
} as const

describe('the next dates of a window', () => {
  it('keep the time of day when the clocks change', () => {
    const weekly = { ...once, recurrence: 'weekly' } as const
    expect(starts(nextOccurrences(weekly, zone, at('2030-03-21T00:00Z'), 3))).toEqual([
      '2030-03-27T09:00:00.000Z',
      '2030-04-03T08:00:00.000Z',
      '2030-04-10T08:00:00.000Z',
    ])
  })

  it('begin with the one in progress', () => {
    expect(starts(nextOccurrences(once, zone, at('2030-03-20T10:00Z'), 5))).toEqual([
      '2030-03-20T09:00:00.000Z',
    ])
  })

  it('are as many as asked for, monthly on the 31st and from a window years ahead', () => {
    const monthly = {
      startsAt: at('2030-01-31T09:00Z'),
      endsAt: at('2030-02-28T09:00Z'),
      recurrence: 'monthly',
    } as const
    expect(starts(nextOccurrences(monthly, zone, at('2026-01-01T00:00Z'), 5))).toEqual([
      '2030-01-31T09:00:00.000Z',
      '2030-02-28T09:00:00.000Z',
      '2030-03-31T08:00:00.000Z',
      '2030-04-30T08:00:00.000Z',
      '2030-05-31T08:00:00.000Z',
    ])
  })

  it('are none once it is over', () => {
    expect(nextOccurrences(once, zone, once.endsAt, 5)).toEqual([])
  })
})

describe('the dates of a window that have begun', () => {
  it('are counted up to now, the one in progress included', () => {
    const weekly = { ...once, recurrence: 'weekly' } as const
    expect(begunOccurrences(weekly, zone, once.startsAt)).toBe(0)
    expect(begunOccurrences(weekly, zone, at('2030-04-03T08:30Z'))).toBe(3)
    expect(begunOccurrences(once, zone, at('2031-01-01T00:00Z'))).toBe(1)
  })
})
