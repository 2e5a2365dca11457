import { randomBytes } from 'node:crypto'
import { requireName } from '../../building/accountNames.js'
import { propertyText } from '../../building/building.js'
import { type Change, change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { systemActor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { resetSecondFactor } from '../secondFactor/secondFactor.js'
import { unlinkPerson } from '../singleSignOn/identities.js'
import { endSessionsOf } from '../users/endAccess.js'
import { requirePerson } from '../users/lockedUser.js'
import { enqueueNotice } from '../users/notices.js'
import { newPasswordHash } from '../users/passwords.js'
import { User } from '../users/user.js'

type NewAdmin = { email: string; name: string; password?: string | undefined }

/**
 * Minutes for which this password works even though OIDC_ONLY refuses staff a sign-in by password
 * (decision 7.20).
 */
const openMinutes = 60

/**
 * Creates an admin from the command line, or makes the existing account an active admin with a new
 * password; its sessions and the links emailed to it end. A building without a tower gets its
 * first. Returns the password when generated: it is stored nowhere. Throws ValidationFailed, and
 * Conflict for the account of the app.
 */
export async function makeAdmin({
  email,
  name,
  password,
}: NewAdmin): Promise<{ id: number; password: string | null }> {
  const chosen = password ?? randomBytes(12).toString('base64url')
  const hash = await newPasswordHash(chosen, { name, email })
  const { firstTower } = (await propertyText()).towers
  const id = await change(systemActor('cli'), async (c) => {
    await requireName(c, name)
    const existing = await User.query(c.trx).modify('atAddress', email).first()
    if (existing) requirePerson(existing)
    const [user] = await c.query<{ id: number; isNew: boolean }>(
      `insert into users (name, email, role, password_hash, password_open_until)
       values ($1, $2, 'admin', $3, now() + make_interval(mins => $4))
       on conflict (lower(email)) do update
         set role = 'admin', active = true, password_hash = excluded.password_hash,
           password_open_until = excluded.password_open_until
       returning id, xmax = 0 as is_new`,
      [name, email, hash, openMinutes],
    )
    if (!user!.isNew) {
      await endSessionsOf(c, user!.id)
      await enqueueNotice(c, user!.id, 'password_changed')
    }
    c.audit('user.made_admin', user!.id, changesBetween(null, { email, role: 'admin', active: true }))
    await makeFirstTower(c, firstTower)
    return user!.id
  })
  return { id, password: password === undefined ? chosen : null }
}

/**
 * Adds a first tower to a building without one, because assets and flats are in a tower. It can be
 * renamed.
 */
async function makeFirstTower(c: Change, name: string): Promise<void> {
  const [tower] = await c.query<{ id: number }>(
    'insert into towers (name) select $1 where not exists (select from towers) returning id',
    [name],
  )
  if (tower) c.audit('tower.created', tower.id, changesBetween(null, { name, sortOrder: 0 }))
}

/**
 * Ends the links of this account to identities of a provider, from the command line. Returns its
 * id. Throws NotFound.
 */
export async function unlinkPersonOf(email: string): Promise<number> {
  const { id } = orNotFound(await User.byEmail(email))
  await unlinkPerson(systemActor('cli'), id)
  return id
}

/**
 * Removes the second factor of this account, from the command line. Returns its id. Throws
 * NotFound.
 */
export async function resetSecondFactorOf(email: string): Promise<number> {
  const { id } = orNotFound(await User.byEmail(email))
  await resetSecondFactor(systemActor('cli'), id)
  return id
}
