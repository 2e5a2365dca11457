import {
  type Channel,
  type EventName,
  type InternalEvent,
  type NotificationSetting,
  storedEmailFollowerKey,
} from '../vocabulary/events.js'

/**
 * Who is notified of an event, unless their settings refuse it. `staff`: all staff. `followers`:
 * followers with an account or without one. `otherStaff`: staff who are not notified of the same
 * change of status as followers.
 */
type Audience = 'staff' | 'followers' | 'otherStaff'

/**
 * The events people are notified of, with the settings of each (`created.mail` and `created.push`
 * for `created`), and the audience of its emails and of its pushes (spec §4 rule 4). `merged` goes
 * to the duplicate's followers. Inactive users, people who turned the setting off and the person
 * who acted are not notified; the exception is the user of all phones (decision 4.10).
 */
export const notifiedEvents = {
  'incident.created': { setting: 'created', mail: 'staff', push: 'followers' },
  'incident.status_changed': { setting: 'status', mail: 'followers', push: 'followers' },
  'incident.sla_breached': { setting: 'escalated', mail: 'followers', push: 'followers' },
  'incident.merged': { setting: 'merged', mail: 'followers', push: 'followers' },
  'incident.commented': { setting: 'comment', mail: 'followers', push: 'followers' },
  // To the staff who get new reports. Followers are notified of it as of any change of status.
  'incident.reopened': { setting: 'created', mail: 'otherStaff', push: 'otherStaff' },
} as const satisfies Partial<
  Record<EventName | InternalEvent, { setting: string } & Record<Channel, Audience>>
>
export type NotifiedEvent = keyof typeof notifiedEvents

/** The setting that turns off the emails or the pushes of an event. */
export function settingOf(event: NotifiedEvent, channel: Channel): NotificationSetting {
  return `${notifiedEvents[event].setting}.${channel}`
}

/**
 * The same as JSON, which the SQL reads as the rows of `audiences`: the part of the setting before
 * its channel, and the audience of each channel.
 */
export const audiencesJson = JSON.stringify(
  Object.entries(notifiedEvents).map(([event, audience]) => ({ event, ...audience })),
)

/**
 * SQL: everyone who gets an email of the events in `taken`, by the rows of `audiences`. A report
 * from a sender who sends too many (`quiet`) notifies no one: it is stored and fires webhooks
 * (decision 4.5). First the receipts of reporters (decision 9.13): there is none for an email,
 * whose sender is answered where it comes in, and none for the user of all phones. Last the people
 * without an account; where an account and its address both follow, the account is notified alone.
 */
export const emailedSql = `
  select e.id, 'incident.receipt' as event, e.incident_id, e.asset_id, e.fact, e.details, e.actor_id, e.in_bulk,
    e.occurred_at, e.created_at, e.request_id, u.id as user_id, null::integer as email_follower_id,
    null::integer as device_id
  from taken e
  join incidents i on i.id = e.incident_id
  join users u on u.id = i.reporter_id
  where e.event = 'incident.created' and i.source <> 'email' and e.details ->> 'quiet' is null
    and u.active and not u.is_mobile_reporter and wants_notification(u.notifications, 'created.mail')
  union all
  select e.*, n.user_id, null, null
  from taken e
  join audiences a on a.event = e.event
  cross join lateral notified_accounts(
    e.event, e.incident_id, e.created_at, e.actor_id, e.details, 'mail', a.mail, a.setting
  ) n
  where e.details ->> 'quiet' is null
  union all
  select * from (
    select distinct on (e.id, m.id) e.*, null::integer, m.id, null::integer
    from taken e
    join audiences a on a.event = e.event
    join email_follows f on f.incident_id in (select id from incident_family(e.incident_id))
    join email_followers m on m.id = f.email_follower_id
    where a.mail = 'followers' and e.details ->> 'quiet' is null
      and exists (select from email_follows where incident_id is not null)
      and m.stopped_at is null and m.id::text is distinct from e.details ->> '${storedEmailFollowerKey}'
      and not exists (
        select from users u
        join followers g on g.user_id = u.id
        where u.active and lower(u.email) = lower(m.address) and g.incident_id = e.incident_id
      )
  ) addresses`

/**
 * SQL: the devices that get a push of the events in `taken`; `$3`: the kinds that are configured. A
 * row per device, so that a retry does not ring the other devices.
 */
export const pushedSql = `
  select e.*, n.user_id, null::integer as email_follower_id, d.id as device_id
  from taken e
  join audiences a on a.event = e.event
  cross join lateral notified_accounts(
    e.event, e.incident_id, e.created_at, e.actor_id, e.details, 'push', a.push, a.setting
  ) n
  join devices d on d.user_id = n.user_id
  where e.details ->> 'quiet' is null and cardinality($3::text[]) > 0 and d.platform = any ($3::text[])`
