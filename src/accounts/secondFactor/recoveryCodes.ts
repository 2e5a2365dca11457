import { randomInt } from 'node:crypto'
import type { Change } from '../../platform/db/change.js'
import { westernDigits } from '../../vocabulary/digits.js'
import { hashCode } from '../users/passwords.js'

/** Without letters and digits that are easily confused in print. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const half = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes to print, 49 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => `${half()}-${half()}`)
}

/** Tells the six digits of an app or email from a printed recovery code; null for neither. */
export function readCode(text: string): { digits: string } | { printed: string } | null {
  const bare = westernDigits(text).replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(bare)) return { digits: bare }
  return /^[a-z2-9]{10}$/.test(bare) ? { printed: bare } : null
}

/** New codes, and their hashes as they are stored. */
export async function hashedRecoveryCodes(salt: Buffer): Promise<{ texts: string[]; hashes: Buffer[] }> {
  const texts = newRecoveryCodes()
  return { texts, hashes: await Promise.all(texts.map((code) => hashCode(code.replace('-', ''), salt))) }
}

/** Makes these the account's only recovery codes. */
export async function replaceRecoveryCodes(c: Change, userId: number, hashes: Buffer[]): Promise<void> {
  await c.trx('recovery_codes').where({ userId }).delete()
  await c.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ])
}
