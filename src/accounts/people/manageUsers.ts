import { requireName, requireOwnName } from '../../building/accountNames.js'
import { Property, Unit } from '../../building/building.js'
import { type Change, change } from '../../platform/db/change.js'
import {
  mapForeignKeyViolation,
  mapUniqueViolation,
  type RecordKind,
  requireVersion,
} from '../../platform/http/records/recordActs.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { defined } from '../../vocabulary/collections.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { endLinksOf, endSessionsOf } from '../users/endAccess.js'
import { type LockedUser, lockedPerson, requireAdmin } from '../users/lockedUser.js'
import { enqueueNotice } from '../users/notices.js'
import { newPasswordHash } from '../users/passwords.js'
import { User } from '../users/user.js'
import { userEntity } from '../users/userEntity.js'

/** The fields admins set; the password is never read back. */
export const userKind: RecordKind = {
  ...userEntity.kind,
  model: User,
  unique: { users_email: { email: ['email_taken'] } },
}

type UserFields = Pick<LockedUser, 'name' | 'email' | 'role' | 'active' | 'unitId' | 'locale'>

type Optional<T> = { [Field in keyof T]?: T[Field] | undefined }
export type NewUser = Pick<UserFields, 'name' | 'email' | 'role' | 'active'> &
  Optional<Pick<UserFields, 'unitId' | 'locale'>> & { password?: string | undefined }
export type UserPatch = Optional<UserFields> & { password?: string | undefined }

/**
 * Creates a user. With a password they can sign in at once; without one, an active account gets an
 * invitation by email (decision 6.1). Returns the id. Throws ValidationFailed.
 */
export async function createUser(actor: Actor, newUser: NewUser): Promise<number> {
  const { password, ...fields } = newUser
  const passwordHash = password === undefined ? null : await newPasswordHash(password, newUser)
  return mapUniqueViolation(userKind, () =>
    change(actor, async (c) => {
      const after = {
        ...fields,
        unitId: newUser.unitId ?? null,
        locale: newUser.locale ?? (await buildingLocale(c)),
      }
      await requireUnit(c, after.unitId)
      await requireName(c, after.name)
      const made = await User.query(c.trx)
        .insert({ ...after, passwordHash, createdAt: c.now })
        .returning('id')
      c.audit('user.created', made.id, changesBetween(null, { ...after, password: passwordHash }))
      if (after.active && !passwordHash) await enqueueEmail(c, 'account.invited', { users: [made.id] })
      return made.id
    }),
  )
}

/**
 * Changes a user; a new role, password or activation ends their sessions (decision 1.2). `version`:
 * the form's version. Throws Forbidden, NotFound, ValidationFailed, Conflict (last admin, the app's
 * account, other version).
 */
export async function updateUser(
  actor: Actor,
  id: number,
  patch: UserPatch,
  version?: string,
): Promise<void> {
  demand(actor, 'user.manage')
  const { password, ...fields } = patch
  const person = { ...orNotFound(await User.query().findById(id)), ...defined(fields) }
  const passwordHash = password === undefined ? undefined : await newPasswordHash(password, person)
  await mapUniqueViolation(userKind, () =>
    change(actor, async (c) => {
      const { user: before, otherAdmins } = await lockedPerson(c, id)
      requireVersion(userKind, before, version)
      const after: LockedUser = { ...before, ...defined({ ...fields, passwordHash }) }
      const changes = changesBetween(audited(before), audited(after))
      if (Object.keys(changes).length === 0) return c.noop()
      requireAdmin(before, after, otherAdmins)
      if (after.unitId !== before.unitId) await requireUnit(c, after.unitId)
      if (after.name !== before.name)
        await (id === actor.id ? requireOwnName(c, id, after.name) : requireName(c, after.name))
      await writeUser(c, before, after)
      c.audit('user.updated', id, changes)
    }),
  )
}

/**
 * Deletes a user without history; throws Conflict with history, for the last active admin and the
 * app's account.
 */
export async function deleteUser(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const { user: before, otherAdmins } = await lockedPerson(c, id)
    requireAdmin(before, null, otherAdmins)
    await User.query(c.trx).deleteById(id).catch(mapForeignKeyViolation('user_has_history'))
    c.audit('user.deleted', id, changesBetween(audited(before), null))
  })
}

/** Ends all sessions of a user; admins who do this to themselves keep the current one. */
export async function signOutEverywhere(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    await lockedPerson(c, id)
    const ended = await endSessionsOf(c, id)
    c.audit('user.signed_out_everywhere', id, changesBetween({ sessions: ended }, { sessions: 0 }))
  })
}

/** Writes the user, and does what follows from each difference. */
async function writeUser(c: Change, before: LockedUser, after: LockedUser): Promise<void> {
  const { name, email, role, active, unitId, locale, passwordHash } = after
  await User.query(c.trx)
    .findById(before.id)
    .patch({ name, email, role, active, unitId, locale, passwordHash })
  const moved = (await c.query('select where lower($1) <> lower($2)', [email, before.email])).length > 0
  if (role !== before.role || active !== before.active || passwordHash !== before.passwordHash)
    await endSessionsOf(c, before.id)
  else if (moved) await endLinksOf(c, before.id)
  if (active && !passwordHash && (moved || !before.active))
    await enqueueEmail(c, 'account.invited', { users: [before.id] })
  // Without a password the former address was never used with this account and may be a stranger's.
  if (!before.passwordHash) return
  const to = moved ? before.email : undefined
  if (moved) await enqueueNotice(c, before.id, 'email_changed', { to })
  if (passwordHash !== before.passwordHash) await enqueueNotice(c, before.id, 'password_changed', { to })
}

async function requireUnit(c: Change, unitId: number | null): Promise<void> {
  if (unitId === null) return
  const unit = await Unit.query(c.trx).modify('inUse').findById(unitId)
  if (!unit) throw new ValidationFailed({ unitId: ['unit_unknown'] })
}

async function buildingLocale(c: Change): Promise<string> {
  const property = await Property.query(c.trx).first()
  return property?.locale ?? 'en'
}

/** The user as audit entries show them; they mask the password. */
function audited({ name, email, role, active, unitId, locale, passwordHash }: LockedUser) {
  return { name, email, role, active, unitId, locale, password: passwordHash }
}
