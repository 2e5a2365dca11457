import { describe, expect, it } from 'vitest'
import { memoized } from '../../../src/platform/http/memoized.js'

/** How often it reads, and what it says. */
function counted() {
  const read: string[] = []
  const said = memoized((header) => {
    read.push(header)
    return header === 'none' ? null : header.toUpperCase()
  })
  return { read, said }
}

describe('what a header says', () => {
  it('is read once for each of its values', () => {
    const { read, said } = counted()
    expect(['br', 'gzip', 'br', 'none', 'none', undefined, ''].map(said)).toEqual([
      'BR',
      'GZIP',
      'BR',
      null,
      null,
      '',
      '',
    ])
    expect(read).toEqual(['br', 'gzip', 'none', ''])
  })

  it('stays right when somebody sends more values than are kept, and long ones', () => {
    const { read, said } = counted()
    const many = Array.from({ length: 1000 }, (_, i) => `a${i}`)
    expect(many.map(said)).toEqual(many.map((each) => each.toUpperCase()))
    expect(said('a0')).toBe('A0')
    expect(read.length).toBe(1001)
    const long = 'x'.repeat(16_000)
    expect([said(long), said(long)]).toEqual([long.toUpperCase(), long.toUpperCase()])
    expect(read.length).toBe(1003)
  })
})
