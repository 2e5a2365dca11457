import { canonical, cores, houseRemainder, pieces, repeatedUnit } from './guessable.js'

/** Length of a password in Unicode code points: long enough that one word does not do; sentences fit. */
export const passwordLength = { least: 12, most: 200 } as const

/** Checked against: the owner, the building's own words, and the commonest passwords (`canonical`). */
export type PasswordJudges = {
  person: { name: string; email: string }
  house: readonly string[]
  common: ReadonlySet<string>
}

/** Pieces (runs or single characters) a password needs at least: `qwertyuiop12` has two. */
const leastPieces = 6
/** Covers dates and telephone numbers. */
const digitsAndSigns = /^[ -@[-`{-~]*$/
/** Up to this many letters besides the building's own words add nothing. */
const fewLetters = 4

/**
 * The problem of a new password, as a key of the catalogue's `fields`; null when it is good (decision 7.12).
 */
export function passwordProblem(password: string, judges: PasswordJudges): string | null {
  const length = [...password].length
  if (length < passwordLength.least) return 'password_short'
  if (length > passwordLength.most) return 'password_long'
  if (password.trim().toLowerCase() === judges.person.email.trim().toLowerCase()) return 'password_is_email'
  return guessed(password, judges)
}

/** Judges the password as a guesser would: ignoring case, affixes, and signs in place of letters. */
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
