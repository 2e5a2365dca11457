/** Nobody may choose one of this many commonest passwords (decision 7.12). */
const refused = 10_000

let list: Promise<readonly string[]> | null = null

/** Commonest first. Loaded on first use, because few processes need the list. */
export function commonPasswords(): Promise<readonly string[]> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) =>
    dictionary['passwords-common'].slice(0, refused).map(String),
  )
  return list
}
