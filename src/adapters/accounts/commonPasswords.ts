/** How many of the commonest passwords nobody may choose (decision 7.12). */
const refused = 10_000

let list: Promise<readonly string[]> | null = null

/** The commonest passwords there are, commonest first: read when the first is asked for, because few processes need them. */
export function commonPasswords(): Promise<readonly string[]> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) =>
    dictionary['passwords-common'].slice(0, refused).map(String),
  )
  return list
}
