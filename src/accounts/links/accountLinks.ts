import { type Change, change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { endSessions } from '../people/accounts.js'
import { enqueueNotice } from '../signIn/notices.js'
import { alive, type Holder, holderOf, type Purpose } from './accountToken.js'
import { newPasswordHash } from './newPassword.js'

/**
 * Makes the commit not wait for the disk: the time of an answer must not tell addresses apart.
 * If the database server crashes within a second, the email is lost and has to be asked for again.
 */
export async function commitUnhurried(c: Change): Promise<void> {
  await c.query('set local synchronous_commit to off')
}

/**
 * Queues a reset mail when an active account has this address. Otherwise the same statement runs
 * and nothing is stored; neither answer nor time tells which (decision 1.1).
 */
export async function requestReset(actor: Actor, email: string): Promise<void> {
  await change(actor, async (c) => {
    await commitUnhurried(c)
    const [user] = await c.query<{ id: number }>(
      `insert into outbox (kind, event, recipient_id, created_at, next_attempt_at)
       select 'mail', 'account.reset', u.id, $2::timestamptz, $2 from users u
       where lower(u.email) = lower($1) and u.active and not u.is_mobile_reporter
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
 * end. Returns the user to sign in. Throws ValidationFailed, and NotFound for an invalid link.
 */
export async function usePasswordLink(
  { token, purpose, password }: { token: string; purpose: Purpose; password: string },
  actorOf: (holder: Holder) => Actor,
): Promise<Holder> {
  const holder = orNotFound(await holderOf(token, purpose))
  const passwordHash = await newPasswordHash(password, holder)
  await change(actorOf(holder), async (c) => {
    const [before] = await c.query<{ passwordHash: string | null }>(
      'select password_hash as "passwordHash" from users where id = $1 and active for no key update',
      [holder.id],
    )
    const [used] = await c.query(
      `update account_tokens a set used_at = now() where a.id = $1 and ${alive} returning 1`,
      [holder.tokenId],
    )
    orNotFound(used)
    await c.query('update users set password_hash = $2 where id = $1', [holder.id, passwordHash])
    await endSessions(c, holder.id)
    if (purpose === 'reset') await enqueueNotice(c, holder.id, 'password_changed')
    c.audit(
      acts[purpose],
      holder.id,
      changesBetween({ password: orNotFound(before).passwordHash }, { password: passwordHash }),
    )
  })
  return holder
}
