import { oneAtATime } from '../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../platform/db/change.js'
import { insertRow } from '../../platform/db/insertRow.js'
import type { Bind } from '../../platform/db/statement.js'
import { absoluteDays } from '../../platform/http/session/sessionTable.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import type { ProviderProof } from '../../vocabulary/people/identity.js'
import { NotFound } from '../../vocabulary/validation.js'
import { takeOverBrowser } from '../users/devices.js'
import { lockedSelf } from '../users/lockedUser.js'
import { noteDevice } from '../users/notices.js'

/**
 * `idHash`: hash of the id in the browser's cookie. `epoch`: the user's session epoch, read with
 * the password; a password changed meanwhile makes the session invalid. `proof`: of the identity it
 * was started with, null with a password.
 */
type NewSession = {
  idHash: Buffer
  epoch: number
  userAgent: string
  device: string
  data: Record<string, unknown>
  proof: ProviderProof | null
}

/**
 * Starts a session of 30 days at most (decision 1.2) and emails the user about a new browser
 * (decision 7.12).
 */
export async function beginSession(actor: Actor, session: NewSession): Promise<void> {
  const { proof } = session
  await change(actor, async (c) => {
    await lockedSelf(c)
    // A provider that does not say when it asked for a password leaves no recent sign-in.
    const authenticatedAt = proof ? (proof.authenticatedAt ?? new Date(0)) : c.now
    await insertRow(c, 'sessions', {
      idHash: session.idHash,
      userId: actor.id,
      epoch: session.epoch,
      data: JSON.stringify(session.data),
      userAgent: session.userAgent.slice(0, 300),
      expiresAt: (bind: Bind) => `now() + make_interval(days => ${bind(absoluteDays)})`,
      authenticatedAt,
      identityId: proof?.identityId ?? null,
      idToken: proof?.idToken ?? null,
      secondFactor: proof?.secondFactor ?? false,
    })
    if (proof) await c.trx('identities').where({ id: proof.identityId }).update({ lastUsedAt: c.now })
    await noteDevice(c, session)
    await takeOverBrowser(c, session)
    c.audit('user.signed_in', actor.id, await endOldest(c, session.idHash))
  })
}

/**
 * Ends the least recently used sessions above the limit; returns the session count before and
 * after.
 */
async function endOldest(c: Change, begun: Buffer): Promise<Changes> {
  await oneAtATime(c, `sessions:${c.actor.id}`)
  const ended = await c.query(
    `with oldest as (
       select id_hash from sessions where user_id = $1 and id_hash <> $2 order by last_seen_at desc offset $3
     ), kept as (
       update devices set session_hash = null where session_hash in (select id_hash from oldest)
     )
     delete from sessions where id_hash in (select id_hash from oldest) returning 1`,
    [c.actor.id, begun, bounds.sessions - 1],
  )
  if (ended.length === 0) return {}
  return changesBetween({ sessions: bounds.sessions + ended.length }, { sessions: bounds.sessions })
}

/**
 * Gives a session a new id and sign-in time after password and code were given again. Returns that
 * time.
 */
export async function recordRenewal(actor: Actor, idHash: Buffer, renewed: Buffer): Promise<Date> {
  return change(actor, async (c) => {
    const renewals = await c
      .trx('sessions')
      .where({ idHash })
      .update({ idHash: renewed, authenticatedAt: c.now })
    if (renewals === 0) throw new NotFound()
    c.audit('user.signed_in_again', actor.id)
    return c.now
  })
}

/** Ends a session; writes nothing when it is gone. */
export async function endSession(actor: Actor, idHash: Buffer): Promise<void> {
  await change(actor, async (c) => {
    const [ended]: { userId: number }[] = await c
      .trx('sessions')
      .where({ idHash })
      .delete()
      .returning('userId')
    if (!ended) return c.noop()
    c.audit('user.signed_out', ended.userId)
  })
}
