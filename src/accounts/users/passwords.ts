import { hash, hashRaw, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { Property } from '../../building/building.js'
import { config } from '../../platform/process/config.js'
import { limitConcurrency } from '../../platform/process/limitConcurrency.js'
import { demoPassword } from '../../vocabulary/people/demo.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { charactersIn, passwordLength, passwordProblem } from './passwordRules.js'

/**
 * Characters of a password that is compared with a stored one: hashing a megabyte of text would be
 * a cheap attack.
 */
export const longestComparedPassword = 1_024

/**
 * A new password, not changed in any character. Another check compares it with the person's
 * address.
 */
export const newPassword = z
  .string({ error: (issue) => (issue.input === undefined ? 'password_short' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => charactersIn(text) >= passwordLength.least, 'password_short')
  .refine((text) => charactersIn(text) <= passwordLength.most, 'password_long')
  .meta({ minLength: passwordLength.least, maxLength: passwordLength.most, format: 'password' })

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
 * The stored form of a generated code. An account has one salt, so that a typed code needs only one
 * hash.
 */
export function hashCode(code: string, salt: Buffer): Promise<Buffer> {
  return hashing(() => hashRaw(code, { ...cost, salt }))
}

/** The whole list of passwords that no one may choose, commonest first (decision 7.12). */
export async function commonPasswords(): Promise<string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common'].map(String)
}

/** In lower case. Loaded on first use, because few processes need the list. */
let common: Promise<ReadonlySet<string>> | null = null

/**
 * Hashes a new password, after checking it against common ones, the person's name and email, and
 * the building's own words (decision 7.12). Throws ValidationFailed at `password`.
 */
export async function newPasswordHash(
  password: string,
  { name, email }: { name: string; email: string },
): Promise<string> {
  common ??= commonPasswords().then((list) => new Set(list.map((each) => each.toLowerCase())))
  const property = await Property.query().select('name', 'address').first()
  // The demo's password has the product's name in it.
  const building = [property?.name ?? '', property?.address ?? '', demoPassword]
  const problem = passwordProblem(password, { person: { name, email }, building, common: await common })
  if (problem) throw new ValidationFailed({ password: [problem] })
  return hashPassword(password)
}
