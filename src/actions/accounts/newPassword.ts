import { commonPasswords } from '../../adapters/accounts/commonPasswords.js'
import { hashPassword } from '../../adapters/accounts/passwords.js'
import { demoPassword } from '../../domain/accounts/demo.js'
import { passwordProblem } from '../../domain/accounts/password.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { Property } from '../../models/building/building.js'

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
