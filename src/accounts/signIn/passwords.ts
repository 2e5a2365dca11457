import { hash, hashRaw, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { limitConcurrency } from '../../platform/net/limitConcurrency.js'
import { config } from '../../platform/ops/config.js'
import { passwordLength } from '../../vocabulary/people/password.js'

const lengthOf = (text: string) => [...text].length

/**
 * A new password, unchanged to the character. Whether it is the person's address is checked
 * elsewhere.
 */
export const newPassword = z
  .string({ error: (issue) => (issue.input === undefined ? 'password_short' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => lengthOf(text) >= passwordLength.least, 'password_short')
  .refine((text) => lengthOf(text) <= passwordLength.most, 'password_long')

/** Argon2id with 19 MiB and two passes, OWASP's minimum: about 25 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two at once leave threads for others. Only guessing fills a queue of fifty: then Overloaded. */
const hashing = limitConcurrency({ atOnce: 2, waiting: 50 })

/** Hash of a dummy password: unknown accounts take as long to refuse as known ones. */
let dummyHash: Promise<string> | null = null

/** A password as a PHC string with its own salt. `newPasswordHash` checks it before. */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, cost))
}

/**
 * Whether the password matches; false after the same work without an account, without a password,
 * and in production for the demo's (decision 7.10). `sender`: the network, for a fair queue. Throws
 * Overloaded.
 */
export async function passwordMatches(
  password: string,
  stored: string | null,
  sender?: string,
): Promise<boolean> {
  dummyHash ??= hash('no such account', cost)
  const against = stored ?? (await dummyHash)
  const matches = await hashing(() => verify(against, password), sender)
  return matches && stored !== null && password !== config.refusedPassword
}

/**
 * The stored form of a generated code: one salt per account, so that a typed code needs a single
 * hash.
 */
export function hashCode(code: string, salt: Buffer): Promise<Buffer> {
  return hashing(() => hashRaw(code, { ...cost, salt }))
}
