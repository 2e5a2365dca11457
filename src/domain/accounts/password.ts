import { canonical, cores, houseRemainder, pieces, repeatedUnit } from './guessable.js'

/** Characters a password has (as Unicode counts them): a sentence is welcome, a word is not enough. */
export const passwordLength = { least: 12, most: 200 } as const

/** What a password is held against: who will have it, the words of the house, and the commonest ones (`canonical`). */
export type PasswordJudges = {
  person: { name: string; email: string }
  house: readonly string[]
  common: ReadonlySet<string>
}

/** Runs and single characters a password must at least be made of: `qwertyuiop12` has two. */
const leastPieces = 6
/** Dates and telephone numbers are among them. */
const digitsAndSigns = /^[ -@[-`{-~]*$/
/** Letters beside words of the house that make no difference. */
const fewLetters = 4

/** What is wrong with a new password, as a key of the catalogue's `fields`; null when it will do (decision 7.12). */
export function passwordProblem(password: string, judges: PasswordJudges): string | null {
  const length = [...password].length
  if (length < passwordLength.least) return 'password_short'
  if (length > passwordLength.most) return 'password_long'
  if (password.trim().toLowerCase() === judges.person.email.trim().toLowerCase()) return 'password_is_email'
  return guessed(password, judges)
}

/** Said of the password as whoever guesses sees it: without capitals, what stands around it, and signs for letters. */
function guessed(password: string, judges: PasswordJudges): string | null {
  if (digitsAndSigns.test(password) || pieces(password) < leastPieces) return 'password_simple'
  const unit = repeatedUnit(password)
  if (unit !== null)
    return [...unit].length < passwordLength.least ? 'password_simple' : guessed(unit, judges)
  if (cores(password).some((core) => judges.common.has(core))) return 'password_common'
  const { person, house, common } = judges
  const remainders = houseRemainder(password, [person.name, person.email, ...house])
  return remainders.some((rest) => rest.length <= fewLetters || common.has(canonical(rest)))
    ? 'password_house'
    : null
}
