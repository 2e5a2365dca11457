import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clip,
  holdsTime,
  type Interval,
  subtract,
  total,
  union,
} from '../../../src/domain/status/intervals.js'

const GRID = 24

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

const point = fc.integer({ min: 0, max: GRID })
const interval = fc.record({
  start: point,
  end: fc.oneof({ weight: 5, arbitrary: point }, fc.constant(Infinity)),
})
const bounded = fc.record({ start: point, end: point })
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 8 })

describe('union', () => {
  it.each([
    ['nothing', [], []],
    ['one', [[1, 2]], [[1, 2]]],
    [
      'overlapping',
      [
        [4, 9],
        [1, 5],
      ],
      [[1, 9]],
    ],
    [
      'touching',
      [
        [1, 2],
        [2, 3],
      ],
      [[1, 3]],
    ],
    [
      'nested',
      [
        [1, 9],
        [2, 3],
      ],
      [[1, 9]],
    ],
    [
      'apart',
      [
        [5, 6],
        [1, 2],
      ],
      [
        [1, 2],
        [5, 6],
      ],
    ],
    ['zero-length', [[3, 3]], []],
    [
      'zero-length between two',
      [
        [1, 2],
        [3, 3],
        [4, 5],
      ],
      [
        [1, 2],
        [4, 5],
      ],
    ],
    ['reversed', [[5, 1]], []],
    [
      'still running',
      [
        [5, Infinity],
        [1, 6],
        [9, 10],
      ],
      [[1, Infinity]],
    ],
  ])('joins intervals: %s', (_, given, expected) => {
    expect(union(given.map(toInterval))).toEqual(expected.map(toInterval))
  })

  it('covers the same cells, sorted, disjoint and with room between', () => {
    fc.assert(
      fc.property(some(interval), (given) => {
        expect(cells(union(given))).toEqual(cells(given))
        expect(isSettled(union(given))).toBe(true)
      }),
    )
  })

  it('leaves its input as it was and shares no object with it', () => {
    const given = [
      { start: 4, end: 6 },
      { start: 1, end: 5 },
    ]
    union(given)[0]!.end = 99
    expect(given).toEqual([
      { start: 4, end: 6 },
      { start: 1, end: 5 },
    ])
  })
})

describe('clip', () => {
  it('keeps what lies inside and drops what does not', () => {
    const given = [
      [0, 2],
      [1, 4],
      [3, Infinity],
      [9, 12],
      [5, 5],
    ].map(toInterval)
    expect(clip(given, 2, 9)).toEqual(
      [
        [2, 4],
        [3, 9],
      ].map(toInterval),
    )
  })

  it('covers the cells inside the bounds and no other', () => {
    fc.assert(
      fc.property(some(interval), point, point, (given, from, to) => {
        const inside = cells(given).map((covered, i) => covered && from <= i && i < to)
        expect(cells(clip(given, from, to))).toEqual(inside)
      }),
    )
  })

  it('never returns an interval without time', () => {
    fc.assert(
      fc.property(some(interval), point, point, (given, from, to) => {
        expect(clip(given, from, to).every(holdsTime)).toBe(true)
      }),
    )
  })
})

describe('subtract', () => {
  it.each([
    [
      'a hole in the middle',
      [[1, 9]],
      [[3, 5]],
      [
        [1, 3],
        [5, 9],
      ],
    ],
    ['a hole over the start', [[3, 9]], [[1, 5]], [[5, 9]]],
    ['a hole over the end', [[3, 9]], [[8, 12]], [[3, 8]]],
    ['a hole over all of it', [[3, 9]], [[3, 9]], []],
    [
      'one hole over two',
      [
        [1, 4],
        [6, 9],
      ],
      [[3, 7]],
      [
        [1, 3],
        [7, 9],
      ],
    ],
    [
      'overlapping holes',
      [[1, 9]],
      [
        [4, 6],
        [2, 5],
      ],
      [
        [1, 2],
        [6, 9],
      ],
    ],
    ['a touching hole', [[1, 4]], [[4, 6]], [[1, 4]]],
    ['an empty hole', [[1, 4]], [[2, 2]], [[1, 4]]],
    [
      'a hole in running time',
      [[1, Infinity]],
      [[3, 5]],
      [
        [1, 3],
        [5, Infinity],
      ],
    ],
    ['a running hole', [[1, 9]], [[3, Infinity]], [[1, 3]]],
  ])('takes out %s', (_, given, holes, expected) => {
    expect(subtract(given.map(toInterval), holes.map(toInterval))).toEqual(expected.map(toInterval))
  })

  it('covers the cells of the one and not of the other', () => {
    fc.assert(
      fc.property(some(interval), some(interval), (given, holes) => {
        const cut = cells(holes)
        const left = subtract(given, holes)
        expect(cells(left)).toEqual(cells(given).map((covered, i) => covered && !cut[i]))
        expect(isSettled(left)).toBe(true)
      }),
    )
  })
})

describe('total', () => {
  it('counts time covered twice once', () => {
    expect(
      total(
        [
          [1, 5],
          [4, 9],
          [20, 20],
          [30, 10],
        ].map(toInterval),
      ),
    ).toBe(8)
  })

  it('is the number of cells covered', () => {
    fc.assert(
      fc.property(some(bounded), (given) => {
        expect(total(given)).toBe(cells(given).filter(Boolean).length)
      }),
    )
  })

  it('splits into what a hole takes and what it leaves', () => {
    fc.assert(
      fc.property(some(bounded), point, point, (given, from, to) => {
        const taken = clip(union(given), from, to)
        expect(total(taken) + total(subtract(given, [{ start: from, end: to }]))).toBe(total(given))
      }),
    )
  })

  it('is endless while an interval runs', () => {
    expect(total([{ start: 5, end: Infinity }])).toBe(Infinity)
    expect(total([])).toBe(0)
  })
})

function toInterval(pair: number[]): Interval {
  return { start: pair[0]!, end: pair[1]! }
}
