import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostAlike, similarity } from '../../../src/incidents/model/duplicates.js'

describe('similarity', () => {
  it.each([
    ['The lift is stuck', 'Lift stuck!', 0.6],
    ['Loud pump', 'Pumps are loud', 0.6],
    ['Wasserrohr undicht', 'WASSERROHR UNDICHT', 1],
    ['Lift', 'Boiler', 0],
    ['', '', 0],
    ['!!', 'a b', 0],
  ])('of %j and %j is at least %d', (a, b, least) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(least)
    if (least === 0) expect(similarity(a, b)).toBe(0)
  })

  it('is symmetric and between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const value = similarity(a, b)
        expect(value).toBe(similarity(b, a))
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('puts the alike before the near, and leaves out what is neither', () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day))
    const alike = { title: 'Lift stuck on floor 3', createdAt: at(1) }
    const near = { title: 'Smell in the hall', createdAt: at(20) }
    const neither = { title: 'Paint comes off', createdAt: at(1) }
    expect(mostAlike({ title: 'Lift stuck', createdAt: at(20) }, [neither, near, alike], 5)).toEqual([
      alike,
      near,
    ])
    expect(mostAlike({ title: 'Lift stuck', createdAt: at(20) }, [neither, near, alike], 1)).toHaveLength(1)
  })
})
