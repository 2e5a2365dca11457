import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newRecoveryCodes, readCode } from '../../src/accounts/secondFactor/recoveryCodes.js'
import { newSecret, setupOf, stepOf } from '../../src/accounts/secondFactor/totp.js'
import { seal, unseal } from '../../src/accounts/users/sealedForUser.js'

/** RFC 6238, appendix B, for SHA-1; the last six of its eight digits. */
const secret = Buffer.from('12345678901234567890')
const vectors: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]
const at = (seconds: number) => new Date(seconds * 1000)

describe('a time-based code', () => {
  it.each(vectors)('at %i is %s', (seconds, code) => {
    expect(stepOf(secret, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('is right half a minute early and late, and no longer', () => {
    const [seconds, code] = vectors[2]!
    const step = Math.floor(seconds / 30)
    const start = step * 30
    expect([-31, -30, 0, 29, 30, 59, 60].map((offset) => stepOf(secret, code, at(start + offset)))).toEqual([
      null,
      step,
      step,
      step,
      step,
      step,
      null,
    ])
  })

  it.each(['', '28708', '2870822', 'abcdef', '２８７０８２'])('is not %j', (text) => {
    expect(stepOf(secret, text, at(59))).toBeNull()
  })
})

describe('a secret', () => {
  it('has 160 bits, never the same', () => {
    expect(newSecret().length).toBe(20)
    expect(newSecret().equals(newSecret())).toBe(false)
  })

  it('is sealed anew each time and opens for its account alone', () => {
    const sealed = seal(secret, 7)
    expect(sealed.equals(seal(secret, 7))).toBe(false)
    expect(sealed.includes(secret)).toBe(false)
    expect(unseal(sealed, 7)?.equals(secret)).toBe(true)
    expect(unseal(sealed, 8)).toBeNull()
  })

  it('does not open when a bit of it was changed', () => {
    const sealed = seal(secret, 7)
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i]! ^= 1
      expect(unseal(changed, 7), `byte ${i}`).toBeNull()
    }
    expect(unseal(randomBytes(48), 7)).toBeNull()
  })

  it('is given to apps by their own kind of address, and as text for typing', () => {
    const { uri, key } = setupOf(secret, 'House & Co: ñ', 'a@b.example')
    const url = new URL(uri)
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(key).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
  })
})

describe('recovery codes', () => {
  it('are ten different ones that people can type', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
  })

  it.each([
    [' 123 456 ', { digits: '123456' }],
    ['ABCDE-23456', { printed: 'abcde23456' }],
    ['abcde 23456', { printed: 'abcde23456' }],
    ['12345', null],
    ['', null],
    ['abcde-2345!', null],
  ])('%j is read as %j', (text, read) => {
    expect(readCode(text)).toEqual(read)
  })
})
