import { isoText } from '../../platform/db/instants.js'
import type { EffectStatement } from '../../platform/db/statement.js'
import { type EventName, subjectOf } from '../../vocabulary/events.js'

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
export function webhookDeliveries(event: EventName): EffectStatement[] {
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
