import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { config } from '../../platform/ops/config.js'

/**
 * What every authenticator app supports: RFC 6238 with SHA-1, six digits, 30 s, one step of clock
 * drift.
 */
const kind = { algorithm: 'SHA1', digits: 6, period: 30 }
const window = 1

/**
 * Secrets are encrypted with a key derived from SESSION_SECRET. Danger: a new SESSION_SECRET makes
 * every app's codes wrong. Recovery codes still work, and an admin can reset a second factor.
 */
const key = Buffer.from(hkdfSync('sha256', config.sessionSecret, '', 'caretaker second factor', 32))
const lengths = { nonce: 12, tag: 16 }

/** A new secret: 160 bits, as RFC 4226 §4 recommends. */
export function newSecret(): Buffer {
  return randomBytes(20)
}

/** The secret encrypted with AES-256-GCM, bound to this account. */
export function seal(secret: Buffer, userId: number): Buffer {
  const nonce = randomBytes(lengths.nonce)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(ownerOf(userId))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/**
 * Decrypts a secret; null if sealed under another SESSION_SECRET or for another account, or
 * tampered with.
 */
export function unseal(sealed: Buffer, userId: number): Buffer | null {
  const rest = lengths.nonce + lengths.tag
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, lengths.nonce), {
    authTagLength: lengths.tag,
  })
  decipher.setAAD(ownerOf(userId)).setAuthTag(sealed.subarray(lengths.nonce, rest))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(rest)), decipher.final()])
  } catch {
    return null
  }
}

/**
 * The 30 s step since 1970 that the code belongs to: that of `at` or a neighbour; null for any
 * other text.
 */
export function stepOf(secret: Buffer, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = at.getTime()
  const delta = TOTP.validate({ ...kind, secret: read(secret), token: code, timestamp, window })
  return delta === null ? null : TOTP.counter({ period: kind.period, timestamp }) + delta
}

/** The secret for an authenticator app: as the text of a QR code, and for typing. */
export function setupOf(secret: Buffer, issuer: string, label: string): { uri: string; typed: string } {
  const totp = new TOTP({ ...kind, secret: read(secret), issuer, label })
  return { uri: totp.toString(), typed: totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 ') }
}

/** Without letters and digits that are easily confused in print. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const half = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes to print, 49 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => `${half()}-${half()}`)
}

/** Tells an app's code from a printed recovery code; null when the text is neither. */
export function readCode(text: string): { digits: string } | { printed: string } | null {
  const bare = text.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(bare)) return { digits: bare }
  return /^[a-z2-9]{10}$/.test(bare) ? { printed: bare } : null
}

function read(secret: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer })
}

function ownerOf(userId: number): Buffer {
  return Buffer.from(`user ${userId}`)
}
