import type { Change } from '../../platform/db/change.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { User } from './user.js'

/** A locked row of `users`, with the columns that acts on it need. */
export type LockedUser = Pick<
  User,
  'id' | 'name' | 'email' | 'role' | 'active' | 'unitId' | 'locale' | 'passwordHash' | 'isMobileReporter'
>

/**
 * Locks the user, if it is not erased, and every active admin, in id order, so that concurrent
 * removals each count the admins left. New sessions are not blocked.
 */
export async function lockedUser(
  c: Change,
  id: number,
): Promise<{ user: LockedUser | null; otherAdmins: number }> {
  const rows = await c.query<LockedUser>(
    `select id, name, email, role, active, unit_id, locale, password_hash, is_mobile_reporter
     from users
     where (id = $1 and erased_at is null) or (role = 'admin' and active)
     order by id for no key update`,
    [id],
  )
  return {
    user: rows.find((row) => row.id === id) ?? null,
    otherAdmins: rows.filter((row) => row.id !== id).length,
  }
}

/**
 * Locks a person and the admins as `lockedUser` does. Throws NotFound, and Conflict for the Mobile
 * Reporter.
 */
export async function lockedPerson(
  c: Change,
  id: number,
): Promise<{ user: LockedUser; otherAdmins: number }> {
  const { user, otherAdmins } = await lockedUser(c, id)
  const person = orNotFound(user)
  requirePerson(person)
  return { user: person, otherAdmins }
}

/** Locks the actor's own row. Throws NotFound when it was erased since the request began. */
export async function lockedSelf(c: Change): Promise<User> {
  return orNotFound(await User.query(c.trx).findById(c.actor.id!).whereNull('erasedAt').forNoKeyUpdate())
}

/** Whether no active admin would be left. */
export function isLastAdmin(before: LockedUser, after: LockedUser | null, otherAdmins: number): boolean {
  const isAdmin = (user: LockedUser | null) => user?.role === 'admin' && user.active
  return isAdmin(before) && !isAdmin(after) && otherAdmins === 0
}

/** Throws Conflict when no active admin would be left. */
export function requireAdmin(before: LockedUser, after: LockedUser | null, otherAdmins: number): void {
  if (isLastAdmin(before, after, otherAdmins)) throw new Conflict('last_admin')
}

/**
 * Throws Conflict for the Mobile Reporter, the shared user of the app, which no one may change.
 */
export function requirePerson({ isMobileReporter }: LockedUser): void {
  if (isMobileReporter) throw new Conflict('mobile_reporter')
}
