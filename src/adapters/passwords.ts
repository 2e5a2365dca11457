import { hash, hashRaw, verify } from '@node-rs/argon2'
import { gate } from './gate.js'

/** Argon2id at 19 MiB, two passes: OWASP's minimum, about 25 ms here. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two at once leave room in the thread pool; past fifty waiting, somebody is guessing and is told to come back. */
const hashing = gate({ atOnce: 2, waiting: 50 })

/** Of no password anybody has: verifying against it costs what a real one costs, so time does not tell accounts. */
let nobody: Promise<string> | null = null

/** The stored form of a password: a PHC string with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, cost))
}

/** Whether the password is the account's; for no account or one without a password, false after the same work. */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  nobody ??= hash('no such account', cost)
  const against = stored ?? (await nobody)
  const matches = await hashing(() => verify(against, password))
  return matches && stored !== null
}

/** The stored form of a code we made up: of one account all with its salt, so that one hash finds the one that was typed. */
export function hashCode(code: string, salt: Buffer): Promise<Buffer> {
  return hashing(() => hashRaw(code, { ...cost, salt }))
}
