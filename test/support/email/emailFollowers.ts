import { emailFollowerAt } from '../../../src/accounts/users/emailFollower.js'
import { followByEmail } from '../../../src/notifications/follow/followers.js'
import { change } from '../../../src/platform/db/change.js'
import { query } from '../../../src/platform/db/database.js'
import { readFollowed } from '../../../src/vocabulary/email/followed.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'

export type Known = { wrote?: boolean; clicked?: boolean; locale?: string }

/**
 * Somebody without an account who follows these; by default they confirmed
 * a link. Returns their id.
 */
export async function emailFollower(
  address: string,
  followed: readonly string[] = [],
  { wrote = false, clicked = true, locale = 'en' }: Known = {},
): Promise<number> {
  return change(systemActor('cli'), async (c) => {
    const { id } = await emailFollowerAt(c, { address, locale, wrote })
    if (clicked) await c.query('update email_followers set clicked_at = now() where id = $1', [id])
    for (const each of followed) await followByEmail(c, { emailFollowerId: id }, readFollowed(each)!)
    c.audit('mail_follower.confirmed', id)
    return id
  })
}

/** Nobody is known any more, and nothing waits. */
export async function forgetEmailFollowers(): Promise<void> {
  await query(`delete from email_followers; delete from email_follows; delete from email_events;
    delete from events; delete from outbox;
    delete from throttles where key like 'stranger%' or key like '%-emails%'`)
}
