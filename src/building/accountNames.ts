import { oneAtATime } from '../platform/db/advisoryLocks.js'
import type { Change } from '../platform/db/change.js'
import { staffRoles } from '../vocabulary/people/permissions.js'
import { foldedName, nameProblem, officeNames } from '../vocabulary/people/personName.js'
import { ValidationFailed } from '../vocabulary/validation.js'

// This is in building, because the name of the building and those of people may not be the same:
// both are checked here, and accounts are a room above.

type Named = { name: string }

/** Changes of names wait for each other: each compares with the names that there are. */
const namesOfPeople = 'names of people'

/** Checks a name an account gets, from user or admin (decision 7.8). Throws ValidationFailed. */
export async function requireName(c: Change, name: string): Promise<void> {
  await oneAtATime(c, namesOfPeople, { alsoIn100: true })
  const property = await c.trx<Named>('properties').first('name')
  const problem = nameProblem(name, property?.name ?? '')
  if (problem) throw new ValidationFailed({ name: [problem] })
}

/**
 * Checks a name users give themselves: not that of another staff account, the office or the app.
 * Throws ValidationFailed.
 */
export async function requireOwnName(c: Change, id: number, name: string): Promise<void> {
  await requireName(c, name)
  const folded = foldedName(name)
  const others: Named[] = await c
    .trx('users')
    .where((user) => user.whereIn('role', [...staffRoles]).orWhere({ isMobileReporter: true }))
    .whereNot({ id })
    .select('name')
  if ([...officeNames, ...others.map((other) => other.name)].some((taken) => foldedName(taken) === folded))
    throw new ValidationFailed({ name: ['name_of_staff'] })
}

/** Checks the property's name: no account may have it. Throws ValidationFailed. */
export async function requireNobodysName(c: Change, name: string): Promise<void> {
  await oneAtATime(c, namesOfPeople, { alsoIn100: true })
  const folded = foldedName(name)
  const people: Named[] = await c.trx('users').select('name')
  if (people.some((person) => foldedName(person.name) === folded))
    throw new ValidationFailed({ name: ['name_of_person'] })
}
