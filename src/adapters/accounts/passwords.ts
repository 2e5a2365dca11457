import { hash, hashRaw, verify } from '@node-rs/argon2'
import { config } from '../../config.js'
import { limitConcurrency } from '../system/limitConcurrency.js'

/** Argon2id at 19 MiB, two passes: OWASP's minimum, about 25 ms here. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two at once leave room in the thread pool; past fifty waiting, somebody is guessing and is told to come back. */
const hashing = limitConcurrency({ atOnce: 2, waiting: 50 })

/** Of no password anybody has: verifying against it costs what a real one costs, so time does not tell accounts. */
let nobody: Promise<string> | null = null

/** The stored form of a password: a PHC string with its own salt. What it may be is checked before (`newPasswordHash`). */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, cost))
}

/**
 * Whether the password is the account's; for no account, for one without a password, and in production for the demo's
 * password whoever has it (decision 7.10), false after the same work. `sender`: the network that asks, so that the
 * guesses of one do not keep others waiting. Throws Overloaded.
 */
export async function passwordMatches(
  password: string,
  stored: string | null,
  sender?: string,
): Promise<boolean> {
  nobody ??= hash('no such account', cost)
  const against = stored ?? (await nobody)
  const matches = await hashing(() => verify(against, password), sender)
  return matches && stored !== null && password !== config.refusedPassword
}

/** The stored form of a code we made up: of one account all with its salt, so that one hash finds the one that was typed. */
export function hashCode(code: string, salt: Buffer): Promise<Buffer> {
  return hashing(() => hashRaw(code, { ...cost, salt }))
}
