import { query } from '../../platform/db/database.js'
import type { Bind, EffectStatement, Subject } from '../../platform/db/statement.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { enqueueSql } from '../../platform/outbox/enqueueEmail.js'
import {
  type NotificationSetting,
  type NotifiedEvent,
  notificationSettings,
  settingOf,
} from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { dueAt, type Gather, ofParts, outboxRows, rowsAboutMany, takingIn } from '../emails/gathering.js'
import { fanOutAssetEvents } from '../follow/assetNewsQueries.js'
import { familyOf } from '../follow/followerQueries.js'

/**
 * SQL: whether the user wants this notification; must match `wants`. A value that is neither true
 * nor false counts as not set and is never an error: broken settings must not fail another user's
 * report.
 */
export function wantsSql(user: string, setting: NotificationSetting): string {
  const { byDefault } = notificationSettings[setting]
  return `${user}.notifications -> '${setting}' is ${byDefault ? '' : 'not '}distinct from '${!byDefault}'::jsonb`
}

/** SQL: active staff who want this email. Used for new reports. */
export function staffWantingSql(user: string, setting: NotificationSetting): string {
  return `${user}.active and ${isStaffSql(user)} and ${wantsSql(user, setting)}`
}

/** Whether the user follows the incident, or the one it was merged into. */
export async function follows(userId: number, incidentId: number): Promise<boolean> {
  return (await followedAmong(userId, [incidentId])).has(incidentId)
}

/** Those of the incidents that the user follows, themselves or as what they were merged into. */
export async function followedAmong(userId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ id: number }>(
    `select distinct i.id from followers f join incidents i on f.incident_id in (i.id, i.merged_into_id)
     where i.id = any ($1) and f.user_id = $2`,
    [ids, userId],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * SQL: whether anyone without an account follows this incident, or one it is merged with; quick
 * where no one follows.
 */
const isFollowedByMail = (incident: string) =>
  `exists (select from mail_follows where incident_id is not null)
   and exists (select from mail_follows f where f.incident_id in (${familyOf(incident)}))`

/** SQL: each email of its own, to each follower without an account. */
const spreadSql = enqueueSql(
  {
    event: 'event',
    followerId: 'follower_id',
    incidentId: 'incident_id',
    payload: 'payload',
    createdAt: 'created_at',
    dueAt: 'now()',
    requestId: 'request_id',
  },
  `from told where event not in ('incident.commented', 'incident.merged') order by id, follower_id`,
)

const partsOf = `(array_agg(payload || jsonb_build_object('incidentId', incident_id) order by incident_id, id))`

/** SQL: comments and merges, gathered for each follower without an account. */
const gatheringSql = enqueueSql(
  {
    event: 'event',
    followerId: 'follower_id',
    incidentId: 'min(incident_id)',
    payload: ofParts(partsOf),
    createdAt: 'min(created_at)',
    dueAt: dueAt('max(created_at)', 'calm'),
    gatherKey: 'gather_key',
    requestId: '(array_agg(request_id order by id))[1]',
  },
  `from (
    select *, 'mail:' || event || ':' || case event when 'incident.commented' then incident_id || ':' else '' end
      || 'address ' || follower_id as gather_key
    from told where event in ('incident.commented', 'incident.merged')
  ) g group by event, follower_id, gather_key`,
)

/**
 * Makes the emails of at most `most` events of incidents, one for each person without an account
 * who follows; returns the number of events. Comments and merges gather as for accounts (decision
 * 7.2). The event's row is deleted in the same commit, so one process does it once.
 */
async function fanOutIncidentEvents(most: number): Promise<number> {
  const [row] = await query<{ events: number }>(
    `with taken as (
       delete from mail_events where id in (
         select id from mail_events where incident_id is not null order by id limit $1 for update skip locked
       ) returning *
     ), told as (
       select distinct on (t.id, m.id) t.id, t.event, m.id as follower_id, t.incident_id,
         t.payload - 'mailFollowerId'::text as payload, t.created_at, t.request_id
       from taken t join mail_follows f on f.incident_id in (${familyOf('t.incident_id')})
         join mail_followers m on m.id = f.mail_follower_id
       where m.stopped_at is null and m.id::text is distinct from t.payload ->> 'mailFollowerId'
         and not exists (
           select from users u join followers g on g.user_id = u.id
           where u.active and lower(u.email) = lower(m.address) and g.incident_id = t.incident_id
         )
       order by t.id, m.id
     ), spread as (
       ${spreadSql}
     ), gathering as (
       ${gatheringSql}
       ${takingIn('calm')}
     )
     select count(*)::integer as events from taken`,
    [most],
  )
  return row!.events
}

/** Whether anything waits to be made into emails; asked at every look, and quick. */
async function mailEventsWait(): Promise<boolean> {
  return (await query('select from mail_events limit 1')).length > 0
}

/** Events that one statement turns into emails. */
const eventsAtOnce = 50
/** Assets that one email is about, at most. */
const assetsAtOnce = 10

/** Turns the events that wait into emails, until none is left or `stopped` says so. */
export async function fanOutEvents(stopped: () => boolean): Promise<void> {
  if (!(await mailEventsWait())) return
  while (!stopped() && (await fanOutIncidentEvents(eventsAtOnce)) === eventsAtOnce) {}
  while (!stopped() && (await fanOutAssetEvents(assetsAtOnce)) === assetsAtOnce) {}
}

/**
 * False for a sender's flood: it is stored and fires webhooks, but sends no email and no push
 * (decision 4.5).
 */
export const notifies = (details: string) => `${details} ->> 'quiet' is null`

/** SQL: the user is not the one who acted; of a comment that came by email, not its author. */
export const isNotActor = (bind: Bind, details: string, { id }: Actor) =>
  `u.id is distinct from coalesce(${bind(id)}::integer, (${details} ->> 'authorId')::integer)`

/** SQL: what the outbox keeps of the details; nothing that says who wrote. */
export const withoutAuthor = (details: string) => `${details} - '{authorId,mailFollowerId}'::text[]`

/** One email to each active member of staff who wants it, except the actor. */
export function mailsToStaff(event: NotifiedEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) =>
    outboxRows(
      { kind: 'mail', event, incidentId: id, payload: withoutAuthor(details), now },
      `from ${from}, users u
       where ${staffWantingSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)} and ${notifies(details)}`,
    )
}

/** As `mailsToStaff`, but not to those who are told the same as followers. */
export function mailsToOtherStaff(event: NotifiedEvent, asFollowers: NotifiedEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) =>
    outboxRows(
      { kind: 'mail', event, incidentId: id, payload: withoutAuthor(details), now },
      `from ${from}, users u
       where ${staffWantingSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)}
         and not (${followsSql(id)} and ${wantsSql('u', settingOf[asFollowers].mail)})`,
    )
}

/** SQL: the user follows the incident. */
export const followsSql = (id: string) =>
  `exists (select from followers f where f.incident_id = ${id} and f.user_id = u.id)`

/**
 * One email to each active follower who wants it, except the actor. Never to the Mobile Reporter,
 * the shared account of the app: it has no mailbox.
 */
export function mailsToFollowers(event: NotifiedEvent): EffectStatement {
  return (bind, subject, actor) => {
    const { from, id, details, now } = subject
    const gather = gatherMails(event, subject, actor)
    return outboxRows(
      { kind: 'mail', event, incidentId: 'f.incident_id', payload: withoutAuthor(details), now, ...gather },
      `from ${from}, followers f, users u
       where f.incident_id = ${id} and u.id = f.user_id and u.active and not u.is_mobile_reporter
         and ${wantsSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)} and ${notifies(details)}`,
    )
  }
}

function gatherMails(event: NotifiedEvent, subject: Subject, { inBulk }: Actor): { gather?: Gather } {
  if (event === 'incident.commented')
    return { gather: { key: `'mail:${event}:' || ${subject.id} || ':' || u.id`, pace: 'calm' } }
  if (event === 'incident.merged') return { gather: { key: `'mail:${event}:' || u.id`, pace: 'calm' } }
  return inBulk ? { gather: { key: `'mail:${event}:' || u.id`, pace: 'brisk' } } : {}
}

/** One email to each follower for all incidents of the statement; else as `mailsToFollowers`. */
export function mailsAboutMany(event: NotifiedEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) =>
    rowsAboutMany(
      { kind: 'mail', event, incidentId: id, payload: details, now },
      `from ${from}, followers f, users u
       where f.incident_id = ${id} and u.id = f.user_id and u.active and not u.is_mobile_reporter
         and ${wantsSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)}`,
      'u.id',
    )
}

/**
 * One row for everyone who follows the incident without an account, where someone does: spread
 * into emails after the commit. `details.mailFollowerId` is who did it, and is not told.
 */
export function mailsToAddresses(event: NotifiedEvent): EffectStatement {
  return (_bind, { from, id, details, now }) => `
    insert into mail_events (event, incident_id, payload, created_at)
    select '${event}', ${id}, ${details} - 'authorId'::text, ${now} from ${from}
    where ${isFollowedByMail(id)} and ${notifies(details)}`
}
