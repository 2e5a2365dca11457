import { hash, hashRaw, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { Property } from '../../building/building.js'
import { config } from '../../platform/process/config.js'
import { limitConcurrency } from '../../platform/process/limitConcurrency.js'
import { demoPassword } from '../../vocabulary/people/demo.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { lengthBesideRuns, repeatedBlock } from './passwordPatterns.js'

/**
 * Length of a password in Unicode code points: too long for a single word, and with room for a
 * sentence.
 */
export const passwordLength = { least: 12, most: 200 } as const

/**
 * Characters of a password that is compared with a stored one: hashing a megabyte of text would be
 * a cheap attack.
 */
export const longestComparedPassword = 1_024

const lengthOf = (text: string) => [...text].length

/**
 * A new password, not changed in any character. Another check compares it with the person's
 * address.
 */
export const newPassword = z
  .string({ error: (issue) => (issue.input === undefined ? 'password_short' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => lengthOf(text) >= passwordLength.least, 'password_short')
  .refine((text) => lengthOf(text) <= passwordLength.most, 'password_long')
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

/** Checked against: the owner, the building's own texts, and common passwords in lower case. */
type PasswordJudges = {
  person: { name: string; email: string }
  house: readonly string[]
  common: ReadonlySet<string>
}

/** Up to this many letters besides the building's own words add nothing; nor besides a sequence. */
const fewLetters = 4

/** A block of fewer characters is not made a password by repeating it. */
const shortBlock = 8

/** So few different characters are a pattern, whatever their order. */
const fewDifferent = 4

/** Shorter common passwords are parts of many words. */
const shortCommon = 5

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const onlyLetters = (text: string) => text.replace(/\P{L}/gu, '')

/**
 * The problem of a new password, as a key of `fields`; null when it is good (decision 7.12). Digits
 * and signs around a common password count for nothing: few such have 12 characters without.
 */
export function passwordProblem(password: string, { person, house, common }: PasswordJudges): string | null {
  if (lengthOf(password) < passwordLength.least) return 'password_short'
  if (lengthOf(password) > passwordLength.most) return 'password_long'
  const text = folded(password)
  if (isCommon(text, common)) return 'password_common'
  if (isMadeOf(text, [person.name, person.email, ...house])) return 'password_house'
  if (isRepetition(text)) return 'password_repeats'
  if (lengthBesideRuns(text) <= fewLetters) return 'password_sequence'
  return isLengthened(text, common) ? 'password_common' : null
}

/** Whether it is a common password, with digits and signs around it, or one several times. */
function isCommon(text: string, common: ReadonlySet<string>): boolean {
  const block = repeatedBlock(onlyLetters(text))
  const forms = [text, text.replace(/^\P{L}+|\P{L}+$/gu, ''), repeatedBlock(text), block]
  return forms.some((each) => each !== null && common.has(each))
}

/** Whether it is a short block again and again, or hardly more than one character. */
function isRepetition(text: string): boolean {
  const block = repeatedBlock(text)
  return (block !== null && lengthOf(block) < shortBlock) || new Set(text).size <= fewDifferent
}

/** Whether it begins or ends with a common password, beside which there is next to nothing. */
function isLengthened(text: string, common: ReadonlySet<string>): boolean {
  for (let length = shortCommon; length < text.length; length++) {
    const [start, afterStart] = [text.slice(0, length), text.slice(length)]
    if (common.has(start) && lengthBesideRuns(afterStart) <= fewLetters) return true
    const [beforeEnd, end] = [text.slice(0, -length), text.slice(-length)]
    if (common.has(end) && lengthBesideRuns(beforeEnd) <= fewLetters) return true
  }
  return false
}

/** Whether hardly a letter is left of the password without the words of these texts. */
function isMadeOf(password: string, texts: readonly string[]): boolean {
  const words = texts
    .flatMap((text) => folded(text).split(/\P{L}+/u))
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length)
  const letters = onlyLetters(password)
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), letters)
  return rest !== letters && onlyLetters(rest).length <= fewLetters
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
  const house = [property?.name ?? '', property?.address ?? '', demoPassword]
  const problem = passwordProblem(password, { person: { name, email }, house, common: await common })
  if (problem) throw new ValidationFailed({ password: [problem] })
  return hashPassword(password)
}
