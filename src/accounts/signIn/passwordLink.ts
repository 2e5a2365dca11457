import { change } from '../../platform/db/change.js'
import { commitWithoutFlush } from '../../platform/db/commitWithoutFlush.js'
import { Problem } from '../../platform/http/problem.js'
import { type EmailLink, redeemLink } from '../../platform/links/emailLinks.js'
import { enqueueSql } from '../../platform/outbox/outboxRow.js'
import { changesBetween } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import type { Role } from '../../vocabulary/people/permissions.js'
import { endSessionsOf } from '../users/endAccess.js'
import { enqueueNotice } from '../users/notices.js'
import { newPasswordHash } from '../users/passwords.js'
import { User } from '../users/user.js'

/** The purpose of a link that sets a password. */
export type Purpose = 'invite' | 'reset'

/** The user of a valid link. */
export type Holder = { link: EmailLink<Purpose>; id: number; name: string; email: string; role: Role }

/** The user of a link; null when it is used or over, or the account is inactive. */
export async function holderOf(link: EmailLink<Purpose>): Promise<Holder | null> {
  if (link.isOver || link.isUsed || !('userId' in link)) return null
  const user = await User.query().findById(link.userId).where({ active: true })
  return user ? { link, id: user.id, name: user.name, email: user.email, role: user.role } : null
}

/**
 * Queues a reset email when an active account has this address. Otherwise the same statement runs
 * and nothing is stored; neither answer nor time tells which (decision 1.1).
 */
export async function requestReset(actor: Actor, email: string): Promise<void> {
  await change(actor, async (c) => {
    await commitWithoutFlush(c)
    const [user] = await c.query<{ id: number }>(
      `${enqueueSql(
        { event: `'account.reset'`, userId: 'u.id', createdAt: '$2::timestamptz' },
        'from users u where lower(u.email) = lower($1) and u.active and not u.is_mobile_reporter',
      )}
       returning recipient_id as id`,
      [email, c.now],
    )
    if (user) c.audit('user.reset_requested', user.id)
    else c.noop()
  })
}

const acts = { invite: 'user.invitation_accepted', reset: 'user.password_reset' } as const

/**
 * Sets the password chosen through a link; the link works once, and all other links and sessions
 * end. Throws ValidationFailed, and 404 link_over when another press was quicker.
 */
export async function usePasswordLink(
  actor: Actor,
  { link, ...holder }: Holder,
  password: string,
): Promise<void> {
  const passwordHash = await newPasswordHash(password, holder)
  await change(actor, async (c) => {
    const [before] = await c.query<{ passwordHash: string | null }>(
      'select password_hash from users where id = $1 and active for no key update',
      [holder.id],
    )
    if (!before || !(await redeemLink(c, link))) throw new Problem(404, 'link_over')
    await c.trx('users').where({ id: holder.id }).update({ passwordHash })
    await endSessionsOf(c, holder.id)
    if (link.purpose === 'reset') await enqueueNotice(c, holder.id, 'password_changed')
    c.audit(
      acts[link.purpose],
      holder.id,
      changesBetween({ password: before.passwordHash }, { password: passwordHash }),
    )
  })
}
