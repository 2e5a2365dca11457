import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clip,
  holdsTime,
  type Interval,
  subtract,
  total,
  union,
} from '../../src/vocabulary/time/intervals.js'

const GRID = 24

const point = fc.integer({ min: 0, max: GRID })
const bounded = fc.record({ start: point, end: point })

it('union covers the same cells, sorted, disjoint and with room between', () => {
  fc.assert(
    fc.property(some(interval), (given) => {
      expect(cells(union(given))).toEqual(cells(given))
      expect(isSettled(union(given))).toBe(true)
    }),
  )
})

it('clip covers the cells inside the bounds and no other', () => {
  fc.assert(
    fc.property(some(interval), point, point, (given, from, to) => {
      const inside = cells(given).map((covered, i) => covered && from <= i && i < to)
      expect(cells(clip(given, from, to))).toEqual(inside)
    }),
  )
})

it('subtract covers the cells of the one and not of the other', () => {
  fc.assert(
    fc.property(some(interval), some(interval), (given, holes) => {
      const cut = cells(holes)
      const left = subtract(given, holes)
      expect(cells(left)).toEqual(cells(given).map((covered, i) => covered && !cut[i]))
      expect(isSettled(left)).toBe(true)
    }),
  )
})

describe('total', () => {
  it('is the number of cells covered', () => {
    fc.assert(
      fc.property(some(bounded), (given) => {
        expect(total(given)).toBe(cells(given).filter(Boolean).length)
      }),
    )
  })

  it('is endless while an interval runs', () => {
    expect(total([{ start: 5, end: Infinity }])).toBe(Infinity)
    expect(total([])).toBe(0)
  })
})

// The naive reading of intervals: which cells [i, i + 1) of a small grid they cover.
function cells(intervals: readonly Interval[]): boolean[] {
  return Array.from({ length: GRID }, (_, i) =>
    intervals.some(({ start, end }) => start <= i && i + 1 <= end),
  )
}

function isSettled(intervals: readonly Interval[]): boolean {
  return intervals.every(
    (interval, i) => holdsTime(interval) && (i === 0 || intervals[i - 1]!.end < interval.start),
  )
}

const interval = fc.record({
  start: point,
  end: fc.oneof({ weight: 5, arbitrary: point }, fc.constant(Infinity)),
})

function some<T>(one: fc.Arbitrary<T>) {
  return fc.array(one, { maxLength: 8 })
}
