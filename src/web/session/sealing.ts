import { createHmac } from 'node:crypto'
import { config } from '../../config.js'
import { equalTexts } from './equalTexts.js'

/**
 * Texts for addresses in mails, sealed with a key of their own for each purpose; nothing of them is stored. `open`
 * returns null for a forged or another purpose's token.
 */
export function sealing(purpose: string): {
  seal: (said: string) => string
  open: (token: string) => string | null
} {
  const key = createHmac('sha256', config.sessionSecret).update(purpose).digest()
  // Half of SHA-256 cannot be guessed, and keeps the address on one line of a mail.
  const mac = (said: string) =>
    createHmac('sha256', key).update(said).digest().subarray(0, 16).toString('base64url')
  const seal = (said: string) => `${Buffer.from(said).toString('base64url')}.${mac(said)}`
  return {
    seal,
    open: (token) => {
      const said = Buffer.from(token.split('.')[0]!, 'base64url').toString()
      // Decoding forgives letters that mean nothing, so the whole token is compared.
      return equalTexts(token, seal(said)) ? said : null
    },
  }
}
