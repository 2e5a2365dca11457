import { commonPasswords } from '../../adapters/accounts/commonPasswords.js'
import { hashPassword } from '../../adapters/accounts/passwords.js'
import { canonical } from '../../domain/accounts/guessable.js'
import { passwordProblem } from '../../domain/accounts/password.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { Property } from '../../models/building/building.js'

/** Words of the product and its roles, in the languages it speaks. */
const words = ['caretaker demo', 'resident board manager admin administrator', 'password welcome']
const palabras = ['residente junta administrador administracion gestor', 'contraseña bienvenido']

let common: Promise<ReadonlySet<string>> | null = null

/**
 * The stored form of a password that a person is to have. Every password that anybody chooses comes through here, and is
 * held against the commonest ones, the person's own name and address, and the words of the house (decision 7.12). Throws
 * Invalid at `password`.
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
