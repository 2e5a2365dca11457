import { emailFollowerAt } from '../../accounts/users/emailFollower.js'
import { lockedSelf } from '../../accounts/users/lockedUser.js'
import { type Change, change } from '../../platform/db/change.js'
import { type EmailLink, redeemLink } from '../../platform/links/emailLinks.js'
import { enqueueSql } from '../../platform/outbox/outboxRow.js'
import { mostRefusals, strangerEmails } from '../../vocabulary/countedLimits.js'
import { type FollowedColumns, followedText, readFollowed } from '../../vocabulary/email/followed.js'
import { type Actor, systemActor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { type Follower, followerIds } from './followQueries.js'

/**
 * Starts to follow; false when nothing changed, or what was to be followed is gone. A duplicate is
 * followed in its survivor. `byChoice`: who follows an incident so counts as affected by it, also
 * when they followed it before.
 */
export async function followByEmail(
  c: Change,
  who: Follower,
  { incidentId, assetId, towerId }: FollowedColumns,
  byChoice = false,
): Promise<boolean> {
  const rows = await c.query(
    `insert into email_follows as f (
       user_id, email_follower_id, incident_id, asset_id, tower_id, created_at, by_choice
     )
     select $1::integer, $2::integer, coalesce(i.merged_into_id, i.id), a.id, t.id,
       $6::timestamptz, $7::boolean
     from (select) one
     left join incidents i on i.id = $3
     left join assets a on a.id = $4
     left join towers t on t.id = $5
     where num_nonnulls($3::integer, $4::integer, $5::integer) = num_nonnulls(i.id, a.id, t.id)
       and ($2::integer is null or exists (select from email_followers where id = $2))
     on conflict (
       coalesce(email_follower_id, 0), coalesce(user_id, 0), coalesce(incident_id, 0),
       coalesce(asset_id, 0), coalesce(tower_id, 0)
     )
       do update set by_choice = true where (f.by_choice, excluded.by_choice) = (false, true)
     returning 1`,
    [...followerIds(who), incidentId, assetId, towerId, c.now, byChoice],
  )
  return rows.length > 0
}

/** Ends following it, an incident with what it is merged with. False when they did not follow. */
export async function unfollowByEmail(
  c: Change,
  who: Follower,
  { incidentId, assetId, towerId }: FollowedColumns,
): Promise<boolean> {
  const rows = await c.query(
    `delete from email_follows f
     where f.user_id is not distinct from $1 and f.email_follower_id is not distinct from $2
       and f.asset_id is not distinct from $4 and f.tower_id is not distinct from $5
       and case when $3::integer is null then f.incident_id is null
         else f.incident_id in (select id from incident_family($3::integer)) end
     returning 1`,
    [...followerIds(who), incidentId, assetId, towerId],
  )
  return rows.length > 0
}

/**
 * Marks that they pressed a button of ours: they may be written to, and the address works. Who had
 * stopped all emails starts again, with none of what they followed then.
 */
async function markClicked(c: Change, emailFollowerId: number): Promise<void> {
  await c.query(
    `delete from email_follows f using email_followers m
     where m.id = $1 and m.stopped_why = 'asked' and f.email_follower_id = m.id`,
    [emailFollowerId],
  )
  await c.query(
    `update email_followers
     set clicked_at = coalesce(clicked_at, $2), failures = 0, stopped_at = null, stopped_why = null
     where id = $1`,
    [emailFollowerId, c.now],
  )
}

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

/** Confirms a link: starts to follow. Twice does no harm. Does nothing when it is over by now. */
export async function confirmFollowing(
  actor: Actor,
  { link, emailFollowerId, followed }: Confirmation,
): Promise<void> {
  await change(actor, async (c) => {
    if (!(await redeemLink(c, link, { allowRepeat: true }))) return c.noop()
    await markClicked(c, emailFollowerId)
    if (!(await followByEmail(c, { emailFollowerId }, readFollowed(followed)!, true))) c.noop()
    else c.audit('mail_follower.confirmed', emailFollowerId)
  })
}

/** A link that is not over, and what it starts to follow. */
export type Confirmation = { link: EmailLink<'follow'>; emailFollowerId: number; followed: string }

/**
 * Queues the email with a link that starts to follow; `network`: who asks, see `siteTag`. One site
 * gets so many for an address in a day, so that it spends no one else's. The same statements run
 * whoever the address belongs to, and when it had its links for today: neither response nor time
 * tells which.
 */
export async function sendFollowLink(
  actor: Actor,
  {
    address,
    locale,
    network,
    ...followed
  }: FollowedColumns & Record<'address' | 'locale' | 'network', string>,
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

/** An account starts to follow an asset, a tower or the building by email; twice has no effect. */
export async function followAsUser(actor: Actor, followed: FollowedColumns): Promise<void> {
  await change(actor, async (c) => {
    await lockedSelf(c)
    if (!(await followByEmail(c, { userId: actor.id! }, followed))) return c.noop()
    c.audit('user.followed', actor.id, { following: { before: null, after: followedText(followed) } })
  })
}

/** An account stops following one of these. Throws NotFound. */
export async function unfollowAsUser(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const [gone]: { assetId: number | null; towerId: number | null }[] = await c
      .trx('email_follows')
      .where({ id, userId: actor.id! })
      .delete()
      .returning(['assetId', 'towerId'])
    const followed = followedText({ incidentId: null, ...orNotFound(gone) })
    c.audit('user.unfollowed', actor.id, { following: { before: followed, after: null } })
  })
}

/**
 * Ends what the actor follows of these, and remembers it: acting on them does not follow again
 * (decision 7.2). Returns the ids that were followed.
 */
export async function endFollowing(c: Change, incidentIds: readonly number[]): Promise<number[]> {
  // Waits for whoever acts on the incidents: an act that began before must not follow after this.
  await c.query('select from incidents where id = any ($1) order by id for share', [incidentIds])
  const rows = await c.query<{ id: number }>(
    `with ended as (
       delete from followers where incident_id = any ($1) and user_id = $2 returning incident_id
     ), remembered as (
       insert into unfollows (incident_id, user_id, created_at) select incident_id, $2, $3 from ended
       on conflict do nothing
     ) select incident_id as id from ended order by 1`,
    [incidentIds, c.actor.id, c.now],
  )
  return rows.map(({ id }) => id)
}
