import { Property } from '../../building/building.js'
import { demoPassword } from '../../vocabulary/people/demo.js'
import { passwordProblem } from '../../vocabulary/people/password.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { commonPasswords } from '../signIn/commonPasswords.js'
import { hashPassword } from '../signIn/passwords.js'

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
