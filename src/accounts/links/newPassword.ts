import { Property } from '../../building/building.js'
import { demoPassword } from '../../vocabulary/people/demo.js'
import { passwordProblem } from '../../vocabulary/people/password.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { hashPassword } from '../signIn/passwords.js'

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
