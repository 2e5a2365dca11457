import { emailFollowerAt } from '../../accounts/users/emailFollower.js'
import { type Change, change } from '../../platform/db/change.js'
import { type EmailLink, redeemLink } from '../../platform/links/emailLinks.js'
import { enqueueSql } from '../../platform/outbox/outboxRow.js'
import { strangerEmails } from '../../vocabulary/countedLimits.js'
import { type FollowedColumns, followedText, readFollowed } from '../../vocabulary/email/followed.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { followByEmail } from './followers.js'

/**
 * Confirms a link: starts to follow, and proves the address also where they follow already or what
 * they asked for is gone. Twice does no harm. Does nothing when it is over by now.
 */
export async function confirmFollowing(
  actor: Actor,
  { link, emailFollowerId, followed }: Confirmation,
): Promise<void> {
  await change(actor, async (c) => {
    if (!(await redeemLink(c, link, { allowRepeat: true }))) return c.noop()
    const isNewProof = await markClicked(c, emailFollowerId)
    const startsToFollow = await followByEmail(c, { emailFollowerId }, readFollowed(followed)!, true)
    if (!isNewProof && !startsToFollow) return c.noop()
    c.audit('mail_follower.confirmed', emailFollowerId)
  })
}

/** A link that is not over, and what it starts to follow. */
export type Confirmation = { link: EmailLink<'follow'>; emailFollowerId: number; followed: string }

/** Who wants to follow what. `network`: from where they ask, see `siteTag`. */
type FollowLinkRequest = { address: string; locale: string; network: string; followed: FollowedColumns }

/**
 * Queues the email with a link that starts to follow. One site gets so many for an address in a
 * day, so that it spends no one else's. The same statements run whoever the address belongs to, and
 * when it had its links for today: neither response nor time tells which.
 */
export async function sendFollowLink(
  actor: Actor,
  { address, locale, network, followed }: FollowLinkRequest,
): Promise<void> {
  await change(actor, async (c) => {
    const { id } = await emailFollowerAt(c, { address, locale })
    const row = {
      event: `'follow.asked'`,
      emailFollowerId: '$1::integer',
      payload: '$2::jsonb',
      createdAt: '$3::timestamptz',
    }
    await c.query(
      enqueueSql(
        row,
        `where (select count(*) from outbox where email_follower_id = $1 and event = 'follow.asked'
           and payload ->> 'network' = $5 and created_at > $3::timestamptz - interval '1 day') < $4`,
      ),
      [
        id,
        JSON.stringify({ followed: followedText(followed), network }),
        c.now,
        strangerEmails.linksPerDay,
        network,
      ],
    )
    c.audit('mail_follower.asked', id)
  })
}

/**
 * Marks that they pressed a button of ours: they may be written to, and the address works. Who had
 * stopped all emails starts again, with none of what they followed then. False when all this was
 * known before.
 */
async function markClicked(c: Change, emailFollowerId: number): Promise<boolean> {
  await c.query(
    `delete from email_follows f using email_followers m
     where m.id = $1 and m.stopped_why = 'asked' and f.email_follower_id = m.id`,
    [emailFollowerId],
  )
  const changed = await c.query(
    `update email_followers
     set clicked_at = coalesce(clicked_at, $2), failures = 0, stopped_at = null, stopped_why = null
     where id = $1 and (clicked_at is null or failures > 0 or stopped_at is not null)
     returning 1`,
    [emailFollowerId, c.now],
  )
  return changed.length > 0
}
