import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { config } from '../../platform/process/config.js'

/**
 * Secrets of second factors and ID tokens of providers are encrypted with a key derived from
 * SESSION_SECRET. Danger: a new SESSION_SECRET makes every app's codes wrong. Recovery codes still
 * work, and an admin can reset a second factor.
 */
const key = Buffer.from(hkdfSync('sha256', config.sessionSecret, '', 'caretaker second factor', 32))
const lengths = { nonce: 12, tag: 16 }

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

function ownerOf(userId: number): Buffer {
  return Buffer.from(`user ${userId}`)
}
