import { isoText } from '../../platform/db/instants.js'
import type { EffectStatement } from '../../platform/db/statement.js'
import { type EventName, eventNames, type InternalEvent, subjectOf } from '../../vocabulary/events.js'
import type { NotifiedEvent } from '../../vocabulary/notifications.js'
import {
  mailsAboutMany,
  mailsToAddresses,
  mailsToFollowers,
  mailsToOtherStaff,
  mailsToStaff,
} from './emails.js'
import { pushesAboutMany, pushesOfReport, pushesToFollowers, pushesToOtherStaff } from './pushes.js'

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
 * Emails and pushes per event; webhooks get the events that `eventNames` lists. `merged` goes to
 * the duplicate's followers. Never to inactive users, those who turned it off, or the actor, but
 * for decision 4.10.
 */
const told: Record<NotifiedEvent | 'asset.status_changed', EffectStatement[]> = {
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
  [...new Set([...eventNames, ...Object.keys(told)])].map((event) => [
    event,
    [...(webhooks[event] ?? []), ...((told as Record<string, EffectStatement[]>)[event] ?? [])],
  ]),
) as Record<EventName | InternalEvent, EffectStatement[]>
