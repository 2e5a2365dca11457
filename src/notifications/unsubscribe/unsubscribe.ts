import { type Change, change } from '../../platform/db/change.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { type FollowedColumns, followedText } from '../../vocabulary/email/followed.js'
import { type NotificationSetting, readTopic, type Topic, wants } from '../../vocabulary/notifications.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { endFollowing } from '../follow/endFollowing.js'
import type { Follower } from '../follow/followerQueries.js'
import { followByMail, unfollowByMail } from '../follow/followers.js'

/**
 * Ends (or with `on` restores) the subscription behind an unsubscribe link, as its user: an
 * incident with its duplicates, or kinds of mail. Writes nothing when it is so already.
 */
export async function setSubscription(actor: Actor, topic: Topic, on: boolean): Promise<void> {
  await change(actor, async (c) => {
    const about = readTopic(topic)!
    const changes =
      'incidentId' in about
        ? await setFollowing(c, about.incidentId, on)
        : 'followed' in about
          ? await setFollowed(c, { userId: actor.id! }, about.followed, on)
          : await setMails(c, about.settings, on)
    if (Object.keys(changes).length === 0) return c.noop()
    c.audit(on ? 'user.resubscribed' : 'user.unsubscribed', actor.id, changes)
  })
}

/**
 * The same for a person without an account. Every topic but what they follow means all mails, which
 * also ends what they get for the mails they wrote.
 */
export async function setSubscriptionByAddress(
  actor: Actor,
  mailFollowerId: number,
  topic: Topic,
  on: boolean,
): Promise<void> {
  await change(actor, async (c) => {
    const about = readTopic(topic)!
    const changes =
      'settings' in about
        ? await setAllMails(c, mailFollowerId, on)
        : await setFollowed(c, { mailFollowerId }, followedOf(about), on)
    if (Object.keys(changes).length === 0) return c.noop()
    c.audit(on ? 'mail_follower.resubscribed' : 'mail_follower.unsubscribed', mailFollowerId, changes)
  })
}

/** The same as a list, for a topic that is no kind of mail. */
export function followedOf(
  about: { incidentId: number } | { followed: FollowedColumns[] },
): FollowedColumns[] {
  return 'followed' in about ? about.followed : [{ ...about, assetId: null, towerId: null }]
}

async function setAllMails(c: Change, mailFollowerId: number, on: boolean): Promise<Changes> {
  const rows = await c.query(
    on
      ? `update mail_followers set stopped_at = null, stopped_why = null where id = $1 and stopped_why = 'asked' returning 1`
      : `update mail_followers set stopped_at = now(), stopped_why = 'asked' where id = $1 and stopped_at is null returning 1`,
    [mailFollowerId],
  )
  return rows.length > 0 ? { mails: { before: !on, after: on } } : {}
}

async function setFollowed(
  c: Change,
  who: Follower,
  followed: readonly FollowedColumns[],
  on: boolean,
): Promise<Changes> {
  const changed: string[] = []
  for (const each of followed)
    if (on ? await followByMail(c, who, each) : (await unfollowByMail(c, who, [each])) > 0)
      changed.push(followedText(each))
  if (changed.length === 0) return {}
  return { following: on ? { before: [], after: changed } : { before: changed, after: [] } }
}

async function setFollowing(c: Change, incidentId: number, on: boolean): Promise<Changes> {
  const rows = await c.query<{ id: number }>(on ? followSql : familySql, [incidentId, c.actor.id])
  const ids = on
    ? rows.map(({ id }) => id)
    : await endFollowing(
        c,
        rows.map(({ id }) => id),
      )
  if (ids.length === 0) return {}
  return { following: on ? { before: [], after: ids } : { before: ids, after: [] } }
}

/** A merged duplicate continues in its survivor, so the survivor is followed. */
const followSql = `
  with forgotten as (
    delete from unfollows u using incidents i
    where i.id = $1 and u.incident_id in (i.id, i.merged_into_id) and u.user_id = $2
  )
  insert into followers (incident_id, user_id)
  select coalesce(merged_into_id, id), $2 from incidents where id = $1
  on conflict do nothing returning incident_id as id`

/** The incident and what it was merged into, as far as the user follows them. */
const familySql = `
  select f.incident_id as id from incidents i join followers f on f.incident_id in (i.id, i.merged_into_id)
  where i.id = $1 and f.user_id = $2`

async function setMails(c: Change, settings: NotificationSetting[], on: boolean): Promise<Changes> {
  const [user] = await c.query<{ notifications: Record<string, unknown> }>(
    'select notifications from users where id = $1 for no key update',
    [c.actor.id],
  )
  const states = (of: (setting: NotificationSetting) => boolean) =>
    Object.fromEntries(settings.map((setting) => [setting, of(setting)]))
  const after = states(() => on)
  const changes = changesBetween(
    states((setting) => wants(user!.notifications, setting)),
    after,
  )
  if (Object.keys(changes).length > 0)
    await c.query('update users set notifications = notifications || $2::jsonb where id = $1', [
      c.actor.id,
      JSON.stringify(after),
    ])
  return changes
}
