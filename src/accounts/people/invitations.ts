import { oneAtATime } from '../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../platform/db/change.js'
import { type Query, query } from '../../platform/db/database.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { lockedPerson } from '../users/lockedUser.js'

/**
 * The people whom the invite button would invite now: at most `bounds.invitations`, those who have
 * waited longest first.
 */
export function nextInvited(run: Query = query): Promise<{ id: number; name: string; email: string }[]> {
  return run('select id, name, email from invitable_users order by id limit $1', [bounds.invitations])
}

/** How many people can be invited now. */
export async function countInvitable(run: Query = query): Promise<number> {
  const [row] = await run<{ waiting: number }>('select count(*)::integer as waiting from invitable_users')
  return row!.waiting
}

/**
 * Emails a user a new invitation, or a reset link when they have a password. Throws Conflict when
 * inactive.
 */
export async function inviteUser(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const { user } = await lockedPerson(c, id)
    if (!user.active) throw new Conflict('user_inactive')
    await enqueueEmail(c, user.passwordHash ? 'account.reset' : 'account.invited', { users: [id] })
    c.audit(user.passwordHash ? 'user.reset_sent' : 'user.invited', id)
  })
}

/**
 * Invites those who have no password, the longest waiting first: at most `bounds.invitations` at
 * once, and no one twice within a day. Returns how many were, and how many are left.
 */
export async function inviteWaiting(actor: Actor): Promise<{ invited: number; waiting: number }> {
  return change(actor, async (c) => {
    await oneAtATime(c, 'invitations')
    const people = await nextInvited(c.query)
    const ids = people.map(({ id }) => id)
    if (ids.length === 0) c.noop()
    else await enqueueInvitations(c, ids)
    return { invited: ids.length, waiting: await countInvitable(c.query) }
  })
}

/**
 * Queues invitations to these people, with one audit entry for all. An import uses it for the
 * people it adds.
 */
export async function enqueueInvitations(c: Change, ids: readonly number[]): Promise<void> {
  await enqueueEmail(c, 'account.invited', { users: ids })
  c.audit('user.all_invited', null, { invitations: { before: null, after: ids.length } })
}
