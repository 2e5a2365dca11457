import { isoText } from '../../platform/db/instants.js'
import type { Bind, EffectStatement, Subject } from '../../platform/db/statement.js'
import { pushedTo } from '../../platform/ops/config.js'
import {
  type EventName,
  eventNames,
  type InternalEvent,
  type NotifiedEvent,
  settingOf,
  subjectOf,
} from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { type Gather, outboxRows, rowsAboutMany } from '../emails/gathering.js'
import {
  followsSql,
  isNotActor,
  mailsAboutMany,
  mailsToAddresses,
  mailsToFollowers,
  mailsToOtherStaff,
  mailsToStaff,
  notifies,
  staffWantingSql,
  wantsSql,
  withoutAuthor,
} from './emailRows.js'

/**
 * One row for everyone who follows the asset, its tower or the building: spread into emails after
 * the commit.
 */
const assetNews: EffectStatement = (_bind, { from, id, now }) => `
  insert into mail_events (event, asset_id, created_at) select 'asset.status_changed', ${id}, ${now} from ${from}`

/**
 * Above 8 subscriptions the caller would notice (30 µs each); then one webhook_events row is spread
 * later.
 */
const few = 8

/**
 * One delivery row per active subscription to the event; above `few`, one row that the outbox
 * spreads later. The body is made here once, as text: exactly this text is signed and sent (spec §6
 * rules 1–3).
 */
function webhookDeliveries(event: EventName): EffectStatement[] {
  const listens = (s: string) => `${s}.active and '${event}' = any (${s}.events)`
  const each: EffectStatement = (_bind, { from, fact, now, occurredAt }) => `
    insert into webhook_deliveries (subscription_id, event_id, event, body, created_at)
    select s.id, gen_random_uuid(), '${event}', ${bodyOf(event, fact, occurredAt)}, ${now}
    from ${from}, webhook_subscriptions s, properties p
    where ${listens('s')} and (select count(*) from webhook_subscriptions o where ${listens('o')}) <= ${few}`
  const together: EffectStatement = (_bind, { from, fact, now, occurredAt }) => `
    insert into webhook_events (event, body, subscription_ids, created_at)
    select '${event}', ${bodyOf(event, fact, occurredAt)}, s.ids, ${now}
    from ${from}, (select array_agg(o.id order by o.id) as ids from webhook_subscriptions o where ${listens('o')}) s, properties p
    where cardinality(s.ids) > ${few}`
  return [each, together]
}

function bodyOf(event: EventName, fact: string, occurredAt: string): string {
  return `json_build_object('event', '${event}', 'occurredAt', ${isoText(occurredAt)},
      'property', json_build_object('id', p.id, 'name', p.name), '${subjectOf[event]}', ${fact})::text`
}

/**
 * Who gets which emails and pushes, per event; webhooks get the events that `eventNames` lists.
 * `merged` goes to the duplicate's followers. Never to inactive users, those who turned it off, or
 * the actor, but for decision 4.10.
 */
const audience: Record<NotifiedEvent | 'asset.status_changed', EffectStatement[]> = {
  'incident.created': [mailsToStaff('incident.created'), ...pushesOfReport('incident.created')],
  'incident.status_changed': toFollowers('incident.status_changed'),
  'incident.sla_breached': [
    mailsAboutMany('incident.sla_breached'),
    mailsToAddresses('incident.sla_breached'),
    ...pushesAboutMany('incident.sla_breached'),
  ],
  'incident.merged': toFollowers('incident.merged'),
  'incident.commented': toFollowers('incident.commented'),
  'incident.reopened': [
    mailsToOtherStaff('incident.reopened', 'incident.status_changed'),
    ...pushesToOtherStaff('incident.reopened', 'incident.status_changed'),
  ],
  'asset.status_changed': [assetNews],
}

function toFollowers(event: NotifiedEvent): EffectStatement[] {
  return [mailsToFollowers(event), mailsToAddresses(event), ...pushesToFollowers(event)]
}

const webhooks = Object.fromEntries(eventNames.map((event) => [event, webhookDeliveries(event)]))

/**
 * The effects of every event, as outbox rows in the event's transaction (spec §4 rule 4, §6 rule
 * 7).
 */
export const effects = Object.fromEntries(
  [...new Set([...eventNames, ...Object.keys(audience)])].map((event) => [
    event,
    [...(webhooks[event] ?? []), ...((audience as Record<string, EffectStatement[]>)[event] ?? [])],
  ]),
) as Record<EventName | InternalEvent, EffectStatement[]>

/**
 * One push per device of each active user of `whom` who wants it: a row per device, so that a retry
 * does not ring the other devices. Only to the kinds of device that are configured.
 */
function pushes(
  event: NotifiedEvent,
  whom: (bind: Bind, subject: Subject, actor: Actor) => string,
): EffectStatement[] {
  if (pushedTo().length === 0) return []
  return [
    (bind, subject, actor) => {
      const { from, id, details, now } = subject
      const payload = `(${withoutAuthor(details)}) || jsonb_build_object('deviceId', d.id)`
      const gather = gatherPushes(event, subject, actor)
      return outboxRows(
        { kind: 'push', event, incidentId: id, payload, now, ...gather },
        `from ${from}, users u, devices d
         where d.user_id = u.id and ${isPushedTo()} and u.active and ${wantsSql('u', settingOf[event].push)} and ${notifies(details)}
           and ${whom(bind, subject, actor)}`,
      )
    },
  ]
}

/** SQL: the device is of a kind that gets push messages. */
const isPushedTo = () => `d.platform in (${pushedTo().map((kind) => `'${kind}'`)})`

/**
 * SQL: not the one who acted; but all phones of the mobile key are one user, so that one is never
 * left out.
 */
const isOther = (bind: Bind, { details }: Subject, actor: Actor) =>
  `(${isNotActor(bind, details, actor)} or u.is_mobile_reporter)`

/** To the followers (spec §4 rule 4, decision 4.10). */
function pushesToFollowers(event: NotifiedEvent): EffectStatement[] {
  return pushes(
    event,
    (bind, subject, actor) => `${isOther(bind, subject, actor)} and ${followsSql(subject.id)}`,
  )
}

/** To the reporter, whose own act it is, and to other followers (decision 4.10). */
function pushesOfReport(event: NotifiedEvent): EffectStatement[] {
  return pushes(
    event,
    (bind, subject, actor) => `(u.id = ${subject.reporterId}
      or ${isOther(bind, subject, actor)} and ${followsSql(subject.id)})`,
  )
}

/** To staff who are not told the same as followers. */
function pushesToOtherStaff(event: NotifiedEvent, asFollowers: NotifiedEvent): EffectStatement[] {
  return pushes(
    event,
    (bind, subject, actor) => `${isOther(bind, subject, actor)}
      and ${staffWantingSql('u', settingOf[event].push)}
      and not (${followsSql(subject.id)} and ${wantsSql('u', settingOf[asFollowers].push)})`,
  )
}

/** One push to each device of the followers for all incidents of the statement. */
function pushesAboutMany(event: NotifiedEvent): EffectStatement[] {
  if (pushedTo().length === 0) return []
  return [
    (bind, subject, actor) => {
      const { from, id, details, now } = subject
      const payload = `${details} || jsonb_build_object('deviceId', d.id)`
      return rowsAboutMany(
        { kind: 'push', event, incidentId: id, payload, now },
        `from ${from}, followers f, users u, devices d
         where f.incident_id = ${id} and u.id = f.user_id and d.user_id = u.id and ${isPushedTo()}
           and u.active and ${wantsSql('u', settingOf[event].push)} and ${isOther(bind, subject, actor)}`,
        'd.id',
      )
    },
  ]
}

function gatherPushes(event: NotifiedEvent, subject: Subject, { inBulk }: Actor): { gather?: Gather } {
  if (event === 'incident.commented')
    return { gather: { key: `'push:${event}:' || ${subject.id} || ':' || d.id`, pace: 'calm' } }
  if (event === 'incident.merged' || inBulk)
    return { gather: { key: `'push:${event}:' || d.id`, pace: 'brisk' } }
  return {}
}
