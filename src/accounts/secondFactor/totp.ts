import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/**
 * The parameters that every authenticator app supports: RFC 6238 with SHA-1, six digits, 30 s, one
 * step of clock drift.
 */
const totpParameters = { algorithm: 'SHA1', digits: 6, period: 30 }
const clockDriftSteps = 1

/** A new secret: 160 bits, as RFC 4226 §4 recommends. */
export function newSecret(): Buffer {
  return randomBytes(20)
}

/**
 * The 30 s step since 1970 that the code belongs to: that of `at` or a neighbour; null for any
 * other text.
 */
export function stepOf(secret: Buffer, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = at.getTime()
  const delta = TOTP.validate({
    ...totpParameters,
    secret: asSecret(secret),
    token: code,
    timestamp,
    window: clockDriftSteps,
  })
  return delta === null ? null : TOTP.counter({ period: totpParameters.period, timestamp }) + delta
}

/** The secret for an authenticator app: as the text of a QR code, and for typing. */
export function setupOf(secret: Buffer, issuer: string, label: string): { uri: string; key: string } {
  const totp = new TOTP({ ...totpParameters, secret: asSecret(secret), issuer, label })
  return { uri: totp.toString(), key: totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 ') }
}

function asSecret(secret: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer })
}
