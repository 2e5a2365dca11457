import { describe, expect, it } from 'vitest'
import { authenticatedAt, verifiedAddress } from '../../src/vocabulary/people/identity.js'

const google = { iss: 'https://accounts.google.com', sub: '1', email: 'ada@example.com' }
const entra = { ...google, iss: 'https://login.microsoftonline.com/tenant/v2.0' }

describe('the address a provider has verified', () => {
  it.each([
    [{ ...google, email_verified: true }, 'ada@example.com'],
    [{ ...google, email_verified: 1 }, null],
    [google, null],
    [{ ...google, email: ['ada@example.com'], email_verified: true }, null],
    [{ ...google, email: 'ada@example.com\u202e', email_verified: true }, null],
    [{ ...google, email: `${'a'.repeat(400)}@example.com`, email_verified: true }, null],
    [{ ...entra, xms_edov: true }, 'ada@example.com'],
    [{ ...entra, xms_edov: '1' }, 'ada@example.com'],
    [{ ...entra, xms_edov: false }, null],
    // Of another provider the same words say nothing.
    [{ ...google, xms_edov: true }, null],
    [{ ...google, iss: 'https://login.microsoftonline.com.evil.test/', xms_edov: true }, null],
  ])('of %o is %s', (claims, address) => {
    expect(verifiedAddress(claims)).toBe(address)
  })
})

describe('when the provider asked for the password', () => {
  const now = new Date('2026-01-01T12:00:00Z')
  const at = (auth_time: unknown) => authenticatedAt({ ...google, auth_time }, now)?.toISOString() ?? null

  it('is never later than now, and nothing but a time', () => {
    expect(at(now.getTime() / 1000 - 60)).toBe('2026-01-01T11:59:00.000Z')
    expect(at(now.getTime() / 1000 + 3600)).toBe('2026-01-01T12:00:00.000Z')
    for (const nothing of [undefined, null, '1', 0, -1, Number.NaN, Number.POSITIVE_INFINITY, {}])
      expect(at(nothing)).toBeNull()
  })
})
