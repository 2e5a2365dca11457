import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { config } from './config.js'
import { equalTexts } from './hashing.js'

/** Half of SHA-256 cannot be guessed, and keeps the address short. */
const tagBytes = 16

/**
 * Seals a text so that it can stand in an address: encrypted and authenticated with keys of this
 * purpose, because addresses are forwarded and logged. Nothing is stored. `open` returns null for a
 * forged token and for one of another purpose.
 */
export function sealing(purpose: string) {
  const key = createHmac('sha256', config.sessionSecret).update(purpose).digest()
  const cipherKey = createHmac('sha256', key).update('cipher').digest()
  const tagOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, tagBytes)
  // The tag is the nonce as well (as in RFC 5297): equal texts have equal tokens, and no others.
  const seal = (text: string) => {
    const tag = tagOf(text)
    const cipher = createCipheriv('aes-256-ctr', cipherKey, tag)
    return Buffer.concat([tag, cipher.update(text), cipher.final()]).toString('base64url')
  }
  const read = (token: string) => {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length <= tagBytes) return null
    const cipher = createDecipheriv('aes-256-ctr', cipherKey, bytes.subarray(0, tagBytes))
    return Buffer.concat([cipher.update(bytes.subarray(tagBytes)), cipher.final()]).toString()
  }
  return {
    seal,
    open: (token: string): string | null => {
      const text = read(token)
      // Decoding forgives letters that mean nothing, so the whole token is compared.
      return text !== null && equalTexts(token, seal(text)) ? text : null
    },
  }
}
