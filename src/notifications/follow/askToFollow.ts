import { mailFollowerAt } from '../../accounts/people/emailAddress.js'
import { change } from '../../platform/db/change.js'
import { type FollowedColumns, followedText } from '../../vocabulary/email/followed.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { followByMail } from './followers.js'

/** Links mailed to one address in a day, however many are asked for. */
const linksPerDay = 3

/**
 * Queues the mail with a link that begins to follow. The same statements run whoever the address
 * belongs to, and when it had its links for today: neither response nor time tells which.
 */
export async function askToFollow(
  actor: Actor,
  { address, locale, ...followed }: FollowedColumns & { address: string; locale: string },
): Promise<void> {
  await change(actor, async (c) => {
    const id = await mailFollowerAt(c, { address, locale })
    await c.query(
      `insert into outbox (kind, event, mail_follower_id, payload, created_at, next_attempt_at)
       select 'mail', 'follow.asked', $1::integer, $2::jsonb, $3::timestamptz, $3
       where (select count(*) from outbox where mail_follower_id = $1 and event = 'follow.asked'
         and created_at > $3::timestamptz - interval '1 day') < $4`,
      [id, JSON.stringify({ followed: followedText(followed) }), c.now, linksPerDay],
    )
    c.audit('mail_follower.asked', id)
  })
}

/** An account begins to follow an asset, a tower or the building by mail; twice has no effect. */
export async function followAsUser(actor: Actor, followed: FollowedColumns): Promise<void> {
  await change(actor, async (c) => {
    if (!(await followByMail(c, { userId: actor.id! }, followed))) return c.noop()
    c.audit('user.followed', actor.id, { following: { before: null, after: followedText(followed) } })
  })
}

/** An account stops following one of these. Throws NotFound. */
export async function unfollowAsUser(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const [gone] = await c.query<{ assetId: number | null; towerId: number | null }>(
      `delete from mail_follows where id = $1 and user_id = $2
       returning asset_id as "assetId", tower_id as "towerId"`,
      [id, actor.id],
    )
    const followed = followedText({ incidentId: null, ...orNotFound(gone) })
    c.audit('user.unfollowed', actor.id, { following: { before: followed, after: null } })
  })
}
