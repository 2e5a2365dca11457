import { describe, expect, it } from 'vitest'
import { repeatFaults } from '../../../src/status/rules/yearFigures.js'

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)
const at = (days: number) => new Date(start + days * day)
const fault = (id: number, reported: number, resolved: number | null) => ({
  id,
  createdAt: at(reported),
  resolvedAt: resolved === null ? null : at(resolved),
})
const found = (...faults: ReturnType<typeof fault>[]) =>
  repeatFaults(faults, at(0)).map(({ fault: { id }, after, daysAfter }) => [id, after.id, daysAfter])

describe('a repeat fault', () => {
  it('comes within thirty days of a repair, to the millisecond', () => {
    expect(found(fault(1, 0, 10), fault(2, 40, null))).toEqual([[2, 1, 30]])
    expect(found(fault(1, 0, 10), fault(2, 40 + 1 / day, null))).toEqual([])
    expect(found(fault(1, 0, 10), fault(2, 10, null))).toEqual([[2, 1, 0]])
  })

  it('is measured from the last repair before it', () => {
    expect(found(fault(1, 0, 5), fault(2, 1, 8), fault(3, 12.5, null))).toEqual([[3, 2, 4]])
  })

  it('is none while the other was still there, or before it', () => {
    expect(found(fault(1, 0, 10), fault(2, 5, 6), fault(3, 4, null))).toEqual([])
  })

  it('is one, however many report it while it lasts', () => {
    const reports = [5, 5.5, 6, 7, 9].map((reported, i) => fault(10 + i, reported, 10 + i))
    expect(found(fault(1, 0, 2), ...reports)).toEqual([[10, 1, 3]])
    expect(found(fault(1, 0, null), ...reports)).toEqual([])
    expect(found(fault(1, 0, 2), ...reports, fault(20, 16, null))).toEqual([
      [20, 14, 2],
      [10, 1, 3],
    ])
  })

  it('is listed when it was reported since then, newest first', () => {
    expect(found(fault(1, -20, -10), fault(2, -5, 1), fault(3, 2, 3), fault(4, 9, null))).toEqual([
      [4, 3, 6],
      [3, 2, 1],
    ])
  })
})
