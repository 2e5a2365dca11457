import type { User } from '../../accounts/users/user.js'
import { type Change, change } from '../../platform/db/change.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { type FollowedColumns, followedText } from '../../vocabulary/email/followed.js'
import type { readTopic, Topic } from '../../vocabulary/email/unsubscribeTopics.js'
import { type NotificationSetting, wants } from '../../vocabulary/notificationSettings.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { endFollowing, followByEmail, unfollowByEmail } from '../follow/followers.js'
import type { EmailFollower, Follower } from '../follow/followQueries.js'

/** What an unsubscribe link is about, and whose emails. */
export type EmailSubscription = {
  topic: Topic
  about: NonNullable<ReturnType<typeof readTopic>>
  reader: { user: User } | { emailFollower: EmailFollower }
}

/**
 * Turns on or off what an unsubscribe link is about: an incident with its duplicates, what is
 * followed by email, or kinds of email. A person without an account has one switch: all emails.
 * Writes nothing when nothing changes. `actor`: the user, or a guest for a person without one.
 */
export async function setSubscription(
  actor: Actor,
  { about, reader }: EmailSubscription,
  on: boolean,
): Promise<void> {
  await change(actor, async (c) => {
    if ('user' in reader) {
      const changes = await setForUser(c, reader.user.id, about, on)
      if (Object.keys(changes).length === 0) c.noop()
      else c.audit(on ? 'user.resubscribed' : 'user.unsubscribed', reader.user.id, changes)
      return
    }
    const { id } = reader.emailFollower
    const changes = await setForEmailFollower(c, id, about, on)
    if (Object.keys(changes).length === 0) c.noop()
    else c.audit(on ? 'mail_follower.resubscribed' : 'mail_follower.unsubscribed', id, changes)
  })
}

function setForUser(
  c: Change,
  userId: number,
  about: EmailSubscription['about'],
  on: boolean,
): Promise<Changes> {
  if ('incidentId' in about) return setIncidentFollowing(c, userId, about.incidentId, on)
  if ('followed' in about) return followAll(c, { userId }, about.followed, on)
  return setEmailSettings(c, userId, about.settings, on)
}

function setForEmailFollower(
  c: Change,
  emailFollowerId: number,
  about: EmailSubscription['about'],
  on: boolean,
): Promise<Changes> {
  if ('settings' in about) return setAllEmails(c, emailFollowerId, on)
  const followed = 'followed' in about ? about.followed : [{ ...about, assetId: null, towerId: null }]
  return followAll(c, { emailFollowerId }, followed, on)
}

async function setAllEmails(c: Change, emailFollowerId: number, on: boolean): Promise<Changes> {
  const row = c.trx('email_followers').where({ id: emailFollowerId })
  const changed = await (on
    ? row.where({ stoppedWhy: 'asked' }).update({ stoppedAt: null, stoppedWhy: null })
    : row.where({ stoppedAt: null }).update({ stoppedAt: c.trx.fn.now(), stoppedWhy: 'asked' }))
  return changed > 0 ? { emails: { before: !on, after: on } } : {}
}

/** Starts or ends following each of these by email. */
async function followAll(
  c: Change,
  follower: Follower,
  followed: readonly FollowedColumns[],
  on: boolean,
): Promise<Changes> {
  const follow = on ? followByEmail : unfollowByEmail
  const changed: string[] = []
  for (const each of followed) if (await follow(c, follower, each)) changed.push(followedText(each))
  if (changed.length === 0) return {}
  return { following: on ? { before: [], after: changed } : { before: changed, after: [] } }
}

/** Starts or ends an account's following of an incident. `userId` is the actor. */
async function setIncidentFollowing(
  c: Change,
  userId: number,
  incidentId: number,
  on: boolean,
): Promise<Changes> {
  const rows = await c.query<{ id: number }>(on ? followSql : familySql, [incidentId, userId])
  const incidentIds = rows.map(({ id }) => id)
  const ids = on ? incidentIds : await endFollowing(c, incidentIds)
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

async function setEmailSettings(
  c: Change,
  userId: number,
  settings: NotificationSetting[],
  on: boolean,
): Promise<Changes> {
  const [user] = await c.query<{ notifications: Record<string, unknown> }>(
    'select notifications from users where id = $1 for no key update',
    [userId],
  )
  const before = settings.map((setting) => [setting, wants(user!.notifications, setting)])
  const after = Object.fromEntries(settings.map((setting) => [setting, on]))
  const changes = changesBetween(Object.fromEntries(before), after)
  if (Object.keys(changes).length > 0)
    await c.query('update users set notifications = notifications || $2::jsonb where id = $1', [
      userId,
      JSON.stringify(after),
    ])
  return changes
}
