import type { Change } from '../../change.js'
import { staffRoles } from '../../domain/accounts/permissions.js'
import { foldedName, nameProblem, officeNames } from '../../domain/accounts/personName.js'
import { ValidationFailed } from '../../domain/system/validation.js'

/** Names are compared with those there are: whoever gives one waits for those who do so at the same moment. */
const oneAtATime = `select pg_advisory_xact_lock(hashtext('names of people'))`

/** For every name an account gets, whoever gives it (decision 7.8). Throws Invalid. */
export async function requireName(c: Change, name: string): Promise<void> {
  await c.query(oneAtATime)
  const problem = nameProblem(name, await propertyName(c))
  if (problem) throw new ValidationFailed({ name: [problem] })
}

/** For the name people give themselves: it must not be that of another staff account, of the office or of the phones. Throws Invalid. */
export async function requireOwnName(c: Change, id: number, name: string): Promise<void> {
  await requireName(c, name)
  const folded = foldedName(name)
  const others = await c.query<{ name: string }>(
    'select name from users where (role = any ($1) or is_mobile_reporter) and id <> $2',
    [staffRoles, id],
  )
  if ([...officeNames, ...others.map((other) => other.name)].some((taken) => foldedName(taken) === folded))
    throw new ValidationFailed({ name: ['name_of_staff'] })
}

/** For the property's name, which nobody may have who has an account. Throws Invalid. */
export async function requireNobodysName(c: Change, name: string): Promise<void> {
  await c.query(oneAtATime)
  const folded = foldedName(name)
  const people = await c.query<{ name: string }>('select name from users')
  if (people.some((person) => foldedName(person.name) === folded))
    throw new ValidationFailed({ name: ['name_of_person'] })
}

async function propertyName(c: Change): Promise<string> {
  const [property] = await c.query<{ name: string }>('select name from properties')
  return property?.name ?? ''
}
