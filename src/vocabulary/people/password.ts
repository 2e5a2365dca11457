/**
 * Length of a password in Unicode code points: long enough that one word does not do; sentences
 * fit.
 */
export const passwordLength = { least: 12, most: 200 } as const

/** Checked against: the owner, the building's own texts, and common passwords in lower case. */
export type PasswordJudges = {
  person: { name: string; email: string }
  house: readonly string[]
  common: ReadonlySet<string>
}

/** Up to this many letters besides the building's own words add nothing. */
const fewLetters = 4

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const onlyLetters = (text: string) => text.replace(/\P{L}/gu, '')

/**
 * The problem of a new password, as a key of `fields`; null when it is good (decision 7.12). Digits
 * and signs around a common password count for nothing: few such have 12 characters without.
 */
export function passwordProblem(password: string, { person, house, common }: PasswordJudges): string | null {
  const length = [...password].length
  if (length < passwordLength.least) return 'password_short'
  if (length > passwordLength.most) return 'password_long'
  const text = folded(password)
  if (common.has(text) || common.has(text.replace(/^\P{L}+|\P{L}+$/gu, ''))) return 'password_common'
  return isMadeOf(text, [person.name, person.email, ...house]) ? 'password_house' : null
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
