import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import {
  type NotificationSetting,
  readTopic,
  type Topic,
  wants,
} from '../../domain/accounts/notifications.js'
import { type Changes, changesBetween } from '../../domain/audit/audit.js'

/**
 * Ends (or with `on` restores) the subscription behind an unsubscribe link, as its user: an incident with its
 * duplicates, or kinds of mail. Writes nothing when it is so already.
 */
export async function setSubscription(actor: Actor, topic: Topic, on: boolean): Promise<void> {
  await change(actor, async (c) => {
    const about = readTopic(topic)!
    const changes =
      'incidentId' in about
        ? await setFollowing(c, about.incidentId, on)
        : await setMails(c, about.settings, on)
    if (Object.keys(changes).length === 0) return c.noop()
    c.audit(on ? 'user.resubscribed' : 'user.unsubscribed', actor.id, changes)
  })
}

async function setFollowing(c: Change, incidentId: number, on: boolean): Promise<Changes> {
  const rows = await c.query<{ id: number }>(on ? followSql : unfollowSql, [incidentId, c.actor.id])
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return {}
  return { following: on ? { before: [], after: ids } : { before: ids, after: [] } }
}

/** A merged duplicate continues in its survivor, so the survivor is followed. */
const followSql = `
  insert into followers (incident_id, user_id)
  select coalesce(merged_into_id, id), $2 from incidents where id = $1
  on conflict do nothing returning incident_id as id`

const unfollowSql = `
  delete from followers f using incidents i
  where i.id = $1 and f.incident_id in (i.id, i.merged_into_id) and f.user_id = $2
  returning f.incident_id as id`

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
