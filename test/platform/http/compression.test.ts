import { describe, expect, it } from 'vitest'
import { pickEncoding } from '../../../src/platform/http/answer/compression.js'

describe('the encoding of an answer', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0.0', 'identity'],
    ['BR', 'br'],
    ['br;q=0.1, gzip;q=1.0', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['gzip;q=0.5, identity', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=x, gzip', 'gzip'],
    ['deflate, zstd', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ])('for %s is %s', (header, expected) => {
    expect(pickEncoding(header)).toBe(expected)
  })
})
