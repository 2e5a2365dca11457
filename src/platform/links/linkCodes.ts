import { createHmac } from 'node:crypto'
import { config } from '../process/config.js'
import { equalTexts } from '../process/hashing.js'

/**
 * The code of six digits beside a link. It comes from the same seed as the link, so that an email
 * that is tried again holds the same code.
 */
export function codeFrom(purpose: string, seed: string): string {
  const bytes = keyed('code beside an email link', `${purpose}:${seed}`)
  return String(bytes.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/**
 * What is stored of a code. Its million values could all be tried on a plain hash: with
 * SESSION_SECRET in it, a copy of the database gives no code away.
 */
export function hashOfCode(tokenHash: Buffer, code: string): Buffer {
  return keyed('stored code of an email link', `${tokenHash.toString('hex')}:${code}`)
}

/** Whether the link with this hash came with this code. */
export function isCodeOf(tokenHash: Buffer, codeHash: Buffer | null, code: string): boolean {
  if (codeHash === null) return false
  return equalTexts(codeHash.toString('hex'), hashOfCode(tokenHash, code).toString('hex'))
}

function keyed(use: string, text: string): Buffer {
  const key = createHmac('sha256', config.sessionSecret).update(use).digest()
  return createHmac('sha256', key).update(text).digest()
}
