import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { config } from './config.js'

/** Half of SHA-256 cannot be guessed, and keeps the address short. */
const markBytes = 16

/**
 * Texts for addresses of pages, with keys for each purpose; encrypted, as addresses are forwarded.
 * Nothing is stored. `open` returns null for a forged token and for one of another purpose.
 */
export function sealing(purpose: string) {
  const key = createHmac('sha256', config.sessionSecret).update(purpose).digest()
  const cipherKey = createHmac('sha256', key).update('cipher').digest()
  const markOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, markBytes)
  // The mark is the nonce as well (as in RFC 5297): equal texts have equal tokens, and no others.
  const seal = (text: string) => {
    const mark = markOf(text)
    const cipher = createCipheriv('aes-256-ctr', cipherKey, mark)
    return Buffer.concat([mark, cipher.update(text), cipher.final()]).toString('base64url')
  }
  const read = (token: string) => {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length <= markBytes) return null
    const cipher = createDecipheriv('aes-256-ctr', cipherKey, bytes.subarray(0, markBytes))
    return Buffer.concat([cipher.update(bytes.subarray(markBytes)), cipher.final()]).toString()
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

/** SHA-256: what is stored instead of a secret drawn at random. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether two texts are equal, in constant time for texts of one length. */
export function equalTexts(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
