import { createECDH, ECDH } from 'node:crypto'

const curve = 'prime256v1'
const unpadded = /^[\w-]+$/

/** Whether the text is an uncompressed point of P-256, as base64url without padding. */
export function isPublicKey(text: string): boolean {
  const bytes = bytesOf(text)
  if (bytes?.length !== 65 || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, curve)
    return true
  } catch {
    return false
  }
}

/** Whether the text is the secret that a browser shares with those who may push to it: 16 bytes. */
export function isAuthSecret(text: string): boolean {
  return bytesOf(text)?.length === 16
}

/** The public key of a private one; null when it is none. */
export function publicKeyOf(privateKey: string): string | null {
  const bytes = bytesOf(privateKey)
  if (bytes?.length !== 32) return null
  try {
    const own = createECDH(curve)
    own.setPrivateKey(bytes)
    return own.getPublicKey('base64url')
  } catch {
    return null
  }
}

/** A new pair for the settings of web push, as base64url: 65 and 32 bytes on P-256 (RFC 8292). */
export function newKeyPair(): { publicKey: string; privateKey: string } {
  const made = createECDH(curve)
  const publicKey = made.generateKeys('base64url')
  // Node leaves out leading zeros, and push services want all 32 bytes.
  const privateKey = Buffer.concat([Buffer.alloc(32), made.getPrivateKey()]).subarray(-32)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}

function bytesOf(text: string): Buffer | null {
  return unpadded.test(text) ? Buffer.from(text, 'base64url') : null
}
