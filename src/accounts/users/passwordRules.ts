import { lengthBesideRuns, repeatedBlock } from './passwordPatterns.js'

/**
 * Length of a password in Unicode code points: too long for a single word, and with room for a
 * sentence.
 */
export const passwordLength = { least: 12, most: 200 } as const

export const charactersIn = (text: string) => [...text].length

/** What a password is checked against. `building`: its own texts; `common`: in lower case. */
type PasswordContext = {
  person: { name: string; email: string }
  building: readonly string[]
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
export function passwordProblem(
  password: string,
  { person, building, common }: PasswordContext,
): string | null {
  if (charactersIn(password) < passwordLength.least) return 'password_short'
  if (charactersIn(password) > passwordLength.most) return 'password_long'
  const text = folded(password)
  if (isCommon(text, common)) return 'password_common'
  if (isMadeOf(text, [person.name, person.email, ...building])) return 'password_house'
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
  return (block !== null && charactersIn(block) < shortBlock) || new Set(text).size <= fewDifferent
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
  const rest = words.reduce((remaining, word) => remaining.replaceAll(word, ' '), letters)
  return rest !== letters && onlyLetters(rest).length <= fewLetters
}
