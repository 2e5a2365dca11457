import { type Change, change } from '../../platform/db/change.js'
import { oneAtATime } from '../../platform/db/oneAtATime.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { countInvitable, invitableSql } from './listedUser.js'

/**
 * Invites those who have no password, the longest waiting first: at most `bounds.invitations` at
 * once, and nobody twice within a day. Returns how many were, and how many are left.
 */
export async function inviteWaiting(actor: Actor): Promise<{ invited: number; waiting: number }> {
  return change(actor, async (c) => {
    await oneAtATime(c, 'invitations')
    const people = await c.query<{ id: number }>(
      `select u.id from users u where ${invitableSql('u')} order by u.id limit $1`,
      [bounds.invitations],
    )
    if (people.length === 0) c.noop()
    else
      await invite(
        c,
        people.map(({ id }) => id),
      )
    return { invited: people.length, waiting: await countInvitable(c.query) }
  })
}

/**
 * Queues the invitations of these people, in an import of theirs too, with one audit entry for all.
 */
export async function invite(c: Change, ids: readonly number[]): Promise<void> {
  await enqueueEmail(c, 'account.invited', { users: ids })
  c.audit('user.all_invited', null, { invitations: { before: null, after: ids.length } })
}
