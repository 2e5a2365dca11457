import { randomBytes } from 'node:crypto'
import { change } from '../change.js'
import { systemActor } from '../domain/actor.js'
import { changesBetween } from '../domain/audit.js'
import { newPasswordHash } from './newPassword.js'
import { requireName } from './personNames.js'

export type NewAdmin = { email: string; name: string; password?: string | undefined }

/**
 * Makes an admin from the command line, or makes the account with that address an active one with a new password.
 * Their sessions end. Throws Invalid for a password that will not do. Returns the password when it was made up here: it is stored nowhere else.
 */
export async function makeAdmin({
  email,
  name,
  password,
}: NewAdmin): Promise<{ id: number; password: string | null }> {
  const chosen = password ?? randomBytes(12).toString('base64url')
  const hash = await newPasswordHash(chosen, { name, email })
  const id = await change(systemActor('cli'), async (c) => {
    await requireName(c, name)
    const [user] = await c.query<{ id: number }>(
      `insert into users (name, email, role, password_hash) values ($1, $2, 'admin', $3)
       on conflict (lower(email)) do update
         set role = 'admin', active = true, password_hash = excluded.password_hash, session_epoch = users.session_epoch + 1
       returning id`,
      [name, email, hash],
    )
    c.audit('user.made_admin', user!.id, changesBetween(null, { email, role: 'admin', active: true }))
    return user!.id
  })
  return { id, password: password === undefined ? chosen : null }
}
