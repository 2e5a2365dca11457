import { type Change, change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { NotFound, orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { endBrowsersOf, endSessionsOf } from '../users/endAccess.js'
import { lockedUser } from '../users/lockedUser.js'
import { enqueueNotice } from '../users/notices.js'
import { newPasswordHash } from '../users/passwords.js'
import { User } from '../users/user.js'

/**
 * Changes one's own password and ends every other session (decision 1.2). `passwordHash`: the
 * stored hash that the current password was proven against. Throws ValidationFailed.
 */
export async function changePassword(
  actor: Actor,
  { passwordHash: proven, password }: { passwordHash: string; password: string },
): Promise<void> {
  const user = orNotFound(await User.query().findById(actor.id!))
  const passwordHash = await newPasswordHash(password, user)
  await change(actor, async (c) => {
    const before = orNotFound((await lockedUser(c, user.id)).user)
    if (before.passwordHash !== proven) throw new ValidationFailed({ currentPassword: ['password_wrong'] })
    await c.trx('users').where({ id: user.id }).update({ passwordHash })
    await endSessionsOf(c, user.id)
    await freshen(c)
    await enqueueNotice(c, user.id, 'password_changed')
    c.audit(
      'user.password_changed',
      user.id,
      changesBetween({ password: before.passwordHash }, { password: passwordHash }),
    )
  })
}

/**
 * Giving the password counts as signing in again, except with a second factor, which needs a code
 * (decision 7.12).
 */
async function freshen(c: Change): Promise<void> {
  await c.query(
    `update sessions s set authenticated_at = $2 from current_users u
     where s.id_hash = $1 and u.id = s.user_id and not u.has_second_factor`,
    [c.actor.sessionHash ?? null, c.now],
  )
}

/** Ends one of the user's own sessions, by its public id. Throws NotFound. */
export async function endOwnSession(actor: Actor, publicId: string): Promise<void> {
  await change(actor, async (c) => {
    const ended = await c
      .trx('sessions')
      .where({ userId: actor.id! })
      .whereRaw('public_session_id(id_hash) = ?', publicId)
      .delete()
    if (ended === 0) throw new NotFound()
    c.audit('user.session_ended', actor.id)
  })
}

/** Ends all sessions of the user except the current one. */
export async function endOtherSessions(actor: Actor): Promise<void> {
  await change(actor, async (c) => {
    const mine = actor.sessionHash ?? null
    const ended = await c
      .trx('sessions')
      .where({ userId: actor.id! })
      .whereRaw('id_hash is distinct from ?', [mine])
      .delete()
    if (ended === 0) return c.noop()
    await endBrowsersOf(c, actor.id!, mine)
    const changes = changesBetween({ sessions: ended + 1 }, { sessions: 1 })
    c.audit('user.signed_out_elsewhere', actor.id, changes)
  })
}
