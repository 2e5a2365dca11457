import { requireOwnName } from '../../building/personNames.js'
import { type Change, change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { defined } from '../../vocabulary/collections.js'
import { type NotificationSetting, wants } from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { NotFound, orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { endBrowsersOf, endSessionsOf } from '../people/endAccess.js'
import { lockedSelf, lockedUser } from '../people/lockedUser.js'
import { User } from '../people/user.js'
import { enqueueNotice } from '../signIn/notices.js'
import { newPasswordHash } from '../signIn/passwords.js'

type AccountPatch = {
  name?: string | undefined
  locale?: string | undefined
  notifications?: { [Setting in NotificationSetting]?: boolean | undefined } | undefined
}

/**
 * Changes a user's own name, language and notification settings; writes nothing without a
 * difference. Throws ValidationFailed, and NotFound for an erased account.
 */
export async function updateAccount(actor: Actor, patch: AccountPatch): Promise<void> {
  await change(actor, async (c) => {
    const user = await lockedSelf(c)
    const { name = user.name, locale = user.locale } = patch
    const after = defined(patch.notifications ?? {})
    const settings = Object.keys(after) as NotificationSetting[]
    const before = Object.fromEntries(
      settings.map((setting) => [setting, wants(user.notifications, setting)]),
    )
    const changes = changesBetween(
      { name: user.name, locale: user.locale, ...before },
      { name, locale, ...after },
    )
    if (Object.keys(changes).length === 0) return c.noop()
    if (name !== user.name) await requireOwnName(c, user.id, name)
    await c.query(
      'update users set name = $2, locale = $3, notifications = notifications || $4::jsonb where id = $1',
      [user.id, name, locale, JSON.stringify(after)],
    )
    c.audit('user.updated', user.id, changes)
  })
}

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
