import { commonPasswords } from '../../adapters/accounts/commonPasswords.js'
import { hashPassword } from '../../adapters/accounts/passwords.js'
import { canonical } from '../../domain/accounts/guessable.js'
import { passwordProblem } from '../../domain/accounts/password.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { Property } from '../../models/building/building.js'

/** Words of the product and its roles, which passwords must not consist of, in its languages. */
const words = ['caretaker demo', 'resident board manager admin administrator', 'password welcome']
const palabras = ['residente junta administrador administracion gestor', 'contraseña bienvenido']

let common: Promise<ReadonlySet<string>> | null = null

/**
 * Hashes a new password. Every password somebody chooses passes here and is checked against common ones, the
 * person's name and address, and the property's words (decision 7.12). Throws ValidationFailed at `password`.
 */
export async function newPasswordHash(
  password: string,
  { name, email }: { name: string; email: string },
): Promise<string> {
  common ??= commonPasswords().then((list) => new Set(list.map(canonical)))
  const property = await Property.query().select('name').first()
  const house = [property?.name ?? '', ...words, ...palabras]
  const problem = passwordProblem(password, { person: { name, email }, house, common: await common })
  if (problem) throw new ValidationFailed({ password: [problem] })
  return hashPassword(password)
}
