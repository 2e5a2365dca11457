/** Characters a password has (as Unicode counts them): a sentence is welcome, a word is not enough. */
export const passwordLength = { least: 12, most: 200 } as const

/** What is wrong with a new password, as a key of the catalogue's `fields`; null when it will do. */
export function passwordProblem(password: string, email: string): string | null {
  const length = [...password].length
  if (length < passwordLength.least) return 'password_short'
  if (length > passwordLength.most) return 'password_long'
  return password.trim().toLowerCase() === email.trim().toLowerCase() ? 'password_is_email' : null
}
