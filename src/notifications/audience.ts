import { isStaffSql } from '../platform/http/session/currentUser.js'
import { pushedTo } from '../platform/process/config.js'
import {
  type Channel,
  type EventName,
  type InternalEvent,
  type NotificationSetting,
  storedEmailFollowerKey,
} from '../vocabulary/events.js'
import { familyOf } from './follow/followerQueries.js'

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

function eventsFor(audience: Audience, channel: Channel): NotifiedEvent[] {
  const events = Object.keys(notifiedEvents) as NotifiedEvent[]
  return events.filter((event) => notifiedEvents[event][channel] === audience)
}

/**
 * SQL: whether the user wants this notification; must match `wants`. A value that is not a boolean
 * counts as yes and not as an error: broken settings must not stop the events of others.
 */
export function wantsSql(user: string, setting: NotificationSetting): string {
  return `${user}.notifications -> '${setting}' is distinct from 'false'::jsonb`
}

/** SQL: active staff who want this email. */
export function staffWantingSql(user: string, setting: NotificationSetting): string {
  return `${user}.active and ${isStaffSql(user)} and ${wantsSql(user, setting)}`
}

/** SQL: whether user `u` wants the notification of `e`, one of these events. */
function wantsEvent(events: readonly NotifiedEvent[], channel: Channel): string {
  const cases = events.map((event) => `when '${event}' then ${wantsSql('u', settingOf(event, channel))}`)
  return `case e.event ${cases.join(' ')} end`
}

/** SQL: user `u` is neither the person who acted nor the author of a comment that came by email. */
const isNotActor = `u.id is distinct from coalesce(e.actor_id, (e.details ->> 'authorId')::integer)`

/** SQL: user `u` reported the incident of `e`. */
const isReporter = 'u.id = (select reporter_id from incidents where id = e.incident_id)'

/** SQL: user `u` follows the incident of `e`. */
const followsSql = `exists (select from followers f where f.incident_id = e.incident_id and f.user_id = u.id)`

/**
 * SQL: whether event `e` notifies anyone. A report from a sender who sends too many does not: it is
 * stored and fires webhooks, but sends no email and no push (decision 4.5).
 */
const notifies = `e.details ->> 'quiet' is null`

/**
 * SQL: whether user `u` is another person than the one who acted in `e`. All phones of the mobile
 * key are one user, who has no mailbox and gets every push; the phones of an account get one of its
 * own report.
 */
function isOtherPerson(channel: Channel): string {
  if (channel === 'mail') return `not u.is_mobile_reporter and ${isNotActor}`
  const isOwnReport = `e.event = 'incident.created' and ${isReporter}`
  return `(u.is_mobile_reporter or ${isNotActor} or ${isOwnReport})`
}

/**
 * SQL: the accounts that are notified of the events `e`, as rows of `e.*, user_id`. Someone who
 * followed only after the event is not notified of it; times are compared in whole milliseconds, as
 * changes store them.
 */
function notifiedAccounts(channel: Channel): string {
  const followed = eventsFor('followers', channel)
  const otherStaff = eventsFor('otherStaff', channel)
  const toStaff = [...eventsFor('staff', channel), ...otherStaff]
  const asFollower = settingOf('incident.status_changed', channel)
  const mayGet = `${isOtherPerson(channel)} and ${notifies}`
  return `
    select e.*, u.id as user_id
    from taken e
      join followers f on f.incident_id = e.incident_id and f.created_at < e.created_at + interval '1 ms'
      join users u on u.id = f.user_id
    where e.event in (${listed(followed)})
      and u.active and ${wantsEvent(followed, channel)} and ${mayGet}
    union all
    select e.*, u.id
    from taken e join users u on u.active and ${isStaffSql('u')}
    where e.event in (${listed(toStaff)}) and ${wantsEvent(toStaff, channel)} and ${mayGet}
      and not (e.event in (${listed(otherStaff)}) and ${followsSql} and ${wantsSql('u', asFollower)})`
}

/** SQL: these events for `in (…)`; an empty text, which no event is, when there are none. */
const listed = (events: readonly string[]) => events.map((event) => `'${event}'`).join(', ') || "''"

/**
 * SQL: the people without an account who are notified of the events `e`, as rows of `e.*, user_id,
 * email_follower_id`. Where an account and its address both follow, the account is notified alone.
 */
const notifiedAddresses = `
  select distinct on (e.id, m.id) e.*, null::integer as user_id, m.id as email_follower_id
  from taken e join email_follows f on f.incident_id in (${familyOf('e.incident_id')})
    join email_followers m on m.id = f.email_follower_id
  where e.event in (${listed(eventsFor('followers', 'mail'))}) and ${notifies}
    and exists (select from email_follows where incident_id is not null)
    and m.stopped_at is null and m.id::text is distinct from e.details ->> '${storedEmailFollowerKey}'
    and not exists (
      select from users u join followers g on g.user_id = u.id
      where u.active and lower(u.email) = lower(m.address) and g.incident_id = e.incident_id
    )`

/**
 * SQL: the reporters who get a receipt of the events in `taken` (decision 9.13), as rows of the
 * events with another name. There is none for an email, whose sender is answered where it comes in,
 * and none for the user of all phones.
 */
const receiptsSql = `
  select e.id, 'incident.receipt' as event, e.incident_id, e.asset_id, e.fact, e.details, e.actor_id, e.in_bulk,
    e.occurred_at, e.created_at, e.request_id, u.id as user_id
  from taken e join incidents i on i.id = e.incident_id join users u on u.id = i.reporter_id
  where e.event = 'incident.created' and i.source <> 'email' and ${notifies}
    and u.active and not u.is_mobile_reporter and ${wantsSql('u', settingOf('incident.created', 'mail'))}`

/** SQL: everyone who gets an email of the events in `taken`. */
export const emailedSql = `
  select *, null::integer as email_follower_id, null::integer as device_id from (${receiptsSql}) receipts
  union all
  select *, null, null from (${notifiedAccounts('mail')}) accounts
  union all
  select *, null from (${notifiedAddresses}) addresses`

/**
 * SQL: the devices that get a push of the events in `taken`; null when no kind of device is
 * configured. A row per device, so that a retry does not ring the other devices.
 */
export function pushedSql(): string | null {
  if (pushedTo().length === 0) return null
  return `
    select notified.*, null::integer as email_follower_id, d.id as device_id
    from (${notifiedAccounts('push')}) notified join devices d on d.user_id = notified.user_id
    where d.platform in (${listed(pushedTo())})`
}
