import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { config } from '../../config.js'

/** What every authenticator app understands: RFC 6238 with SHA-1, six digits, half minutes, one to either side. */
const kind = { algorithm: 'SHA1', digits: 6, period: 30 }
const window = 1

/**
 * Secrets are stored under a key made of SESSION_SECRET. Another SESSION_SECRET therefore ends every second factor: no
 * code is right any more. Recovery codes still work, and an admin can reset the others.
 */
const key = Buffer.from(hkdfSync('sha256', config.sessionSecret, '', 'caretaker second factor', 32))
const lengths = { nonce: 12, tag: 16 }

/** A secret of its own for one account: 160 bits, as RFC 4226 §4 recommends. */
export function newSecret(): Buffer {
  return randomBytes(20)
}

/** The secret as it is stored, by AES-256-GCM; it opens for this account only. */
export function seal(secret: Buffer, userId: number): Buffer {
  const nonce = randomBytes(lengths.nonce)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(ownerOf(userId))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** The secret again; null when it was sealed under another SESSION_SECRET, for another account, or was tampered with. */
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

/** The half minute since 1970 whose code this is, the one of `at` or a neighbour of it; null for any other text. */
export function stepOf(secret: Buffer, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = at.getTime()
  const delta = TOTP.validate({ ...kind, secret: read(secret), token: code, timestamp, window })
  return delta === null ? null : TOTP.counter({ period: kind.period, timestamp }) + delta
}

/** What an authenticator app needs: as the text of a QR code, and for typing. */
export function setupOf(secret: Buffer, issuer: string, label: string): { uri: string; typed: string } {
  const totp = new TOTP({ ...kind, secret: read(secret), issuer, label })
  return { uri: totp.toString(), typed: totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 ') }
}

/** Letters and digits that nobody takes for one another, on paper neither. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const half = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes to print, of 49 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => `${half()}-${half()}`)
}

/** What was typed into the field for codes: one of the app, one of the printed ones, or neither. */
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
