import { type Change, change } from '../../platform/db/change.js'
import { mostRefusals } from '../../vocabulary/countedLimits.js'
import { type Actor, systemActor } from '../../vocabulary/people/actor.js'

/**
 * Counts an email that the server of this address refused for good. After three, nothing more is
 * sent to the address.
 */
export async function countRefusal(emailFollowerId: number): Promise<void> {
  await change(systemActor('scheduler'), (c) => addRefusal(c, emailFollowerId))
}

/**
 * Counts a bounce that came in by email. `messageName`: what stands before the @ in the Message-ID
 * of the email it brings back, which cannot be guessed. Nothing is counted when that is no email of
 * ours to a person without an account.
 */
export async function countBounce(actor: Actor, messageName: string): Promise<void> {
  await change(actor, async (c) => {
    // Each email counts once, however often its bounce comes.
    const [row]: { emailFollowerId: number }[] = await c
      .trx('outbox')
      .where({ messageName })
      .update({ messageName: null })
      .returning('emailFollowerId')
    if (row) await addRefusal(c, row.emailFollowerId)
    else c.noop()
  })
}

async function addRefusal(c: Change, emailFollowerId: number): Promise<void> {
  const [row] = await c.query<{ failures: number; stops: boolean }>(
    `update email_followers set failures = failures + 1,
       stopped_at = case when failures + 1 >= $2 then coalesce(stopped_at, $3::timestamptz) else stopped_at end,
       stopped_why = case when failures + 1 >= $2 then coalesce(stopped_why, 'refused') else stopped_why end
     where id = $1 returning failures, stopped_at = $3 as stops`,
    [emailFollowerId, mostRefusals, c.now],
  )
  if (!row) return c.noop()
  const failures = { before: row.failures - 1, after: row.failures }
  c.audit(row.stops ? 'mail_follower.stopped' : 'mail_follower.refused', emailFollowerId, { failures })
}
