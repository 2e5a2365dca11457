import { passwordMatches } from '../../adapters/accounts/passwords.js'
import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { type Changes, changesBetween } from '../../domain/audit/audit.js'
import { bounds } from '../../domain/system/limits.js'
import { orNotFound } from '../../domain/system/validation.js'
import { absoluteDays } from '../../models/accounts/session.js'
import { type Credentials, type CurrentUser, User } from '../../models/accounts/user.js'
import { oneAtATime } from '../system/oneAtATime.js'
import { noteDevice } from './notices.js'

/**
 * The user, proven by the password, or null: the same null, after the same work, for nobody, a wrong password, an
 * account without one and one that is not active (decision 1.1). `network`: who asks. Throws Overloaded.
 */
export async function provenUser(
  user: Credentials | null,
  password: string,
  network: string,
): Promise<CurrentUser | null> {
  const matches = await passwordMatches(password, user?.passwordHash ?? null, network)
  if (!user || !matches || !user.active) return null
  const { passwordHash: _passwordHash, active: _active, ...current } = user
  return current
}

/** The stored hash of a person's password when this is the one; null when it is not. Throws NotFound, Overloaded. */
export async function provenHash(id: number, password: string, network: string): Promise<string | null> {
  const { passwordHash } = orNotFound(await User.query().findById(id).select('passwordHash'))
  return (await passwordMatches(password, passwordHash, network)) ? passwordHash : null
}

/**
 * Starts a session of a user; it ends after 30 days at the latest (decision 1.2). `epoch`: of the moment their password
 * was right, so that one which was changed meanwhile opens nothing. In a browser the account was never used with they are
 * mailed that it is (decision 7.12).
 */
export async function beginSession(
  actor: Actor,
  session: {
    idHash: Buffer
    epoch: number
    userAgent: string
    device: string
    data: Record<string, unknown>
  },
): Promise<void> {
  await change(actor, async (c) => {
    await c.query(
      `insert into sessions (id_hash, user_id, epoch, data, user_agent, expires_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))`,
      [
        ...[session.idHash, actor.id, session.epoch, JSON.stringify(session.data)],
        ...[session.userAgent.slice(0, 300), absoluteDays],
      ],
    )
    await noteDevice(c, session)
    c.audit('user.signed_in', actor.id, await endOldest(c, session.idHash))
  })
}

/** Ends what this one is too many for, least recently used first; returns how many there were and are. */
async function endOldest(c: Change, begun: Buffer): Promise<Changes> {
  await oneAtATime(c, `sessions:${c.actor.id}`)
  const ended = await c.query(
    `delete from sessions where id_hash in (
       select id_hash from sessions where user_id = $1 and id_hash <> $2 order by last_seen_at desc offset $3
     ) returning 1`,
    [c.actor.id, begun, bounds.sessions - 1],
  )
  return ended.length === 0
    ? {}
    : changesBetween({ sessions: bounds.sessions + ended.length }, { sessions: bounds.sessions })
}

/** Gives a session another id and the time of now, after its owner gave password and code again. Returns that time. */
export async function renewSession(actor: Actor, idHash: Buffer, renewed: Buffer): Promise<Date> {
  return change(actor, async (c) => {
    const [session] = await c.query(
      'update sessions set id_hash = $2, authenticated_at = $3 where id_hash = $1 returning 1',
      [idHash, renewed, c.now],
    )
    orNotFound(session)
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
    if (!ended) return c.noop()
    c.audit('user.signed_out', ended.userId)
  })
}
