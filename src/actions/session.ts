import { passwordMatches } from '../adapters/passwords.js'
import { change } from '../change.js'
import type { Actor } from '../domain/actor.js'
import { found } from '../domain/invalid.js'
import { absoluteDays } from '../models/session.js'
import { type CurrentUser, User } from '../models/user.js'
import { noteDevice } from './notices.js'

/**
 * The user behind an address and a password, or null: the same null, after the same work, for an unknown address,
 * a wrong password, an account without one and one that is not active (decision 1.1).
 */
export async function userWith(email: string, password: string): Promise<CurrentUser | null> {
  const user = await User.byEmail(email)
  const matches = await passwordMatches(password, user?.passwordHash ?? null)
  return user && matches && user.active ? User.signingIn(user.id) : null
}

/**
 * Starts a session of a user on their current epoch; it ends after 30 days at the latest (decision 1.2). In a browser the
 * account was never used with they are mailed that it is (decision 7.12).
 */
export async function beginSession(
  actor: Actor,
  session: { idHash: Buffer; userAgent: string; device: string; data: Record<string, unknown> },
): Promise<void> {
  await change(actor, async (c) => {
    await c.query(
      `insert into sessions (id_hash, user_id, epoch, data, user_agent, expires_at)
       select $1, u.id, u.session_epoch, $3, $4, now() + make_interval(days => $5) from users u where u.id = $2`,
      [session.idHash, actor.id, JSON.stringify(session.data), session.userAgent.slice(0, 300), absoluteDays],
    )
    await noteDevice(c, session)
    c.audit('user.signed_in', actor.id)
  })
}

/** Gives a session another id and the time of now, after its owner gave password and code again. Returns that time. */
export async function renewSession(actor: Actor, idHash: Buffer, renewed: Buffer): Promise<Date> {
  return change(actor, async (c) => {
    const [session] = await c.query(
      'update sessions set id_hash = $2, authenticated_at = $3 where id_hash = $1 returning 1',
      [idHash, renewed, c.now],
    )
    found(session)
    c.audit('user.signed_in_again', actor.id)
    return c.now
  })
}

/** Ends a session; one that is gone already is not an act. */
export async function endSession(actor: Actor, idHash: Buffer): Promise<void> {
  await change(actor, async (c) => {
    const [ended] = await c.query<{ userId: number }>(
      'delete from sessions where id_hash = $1 returning user_id as "userId"',
      [idHash],
    )
    if (!ended) return c.unchanged()
    c.audit('user.signed_out', ended.userId)
  })
}
