import type { EventName } from '../domain/events.js'
import { isoText, type Part } from './statement.js'

/**
 * One delivery row per active subscription that listens to the event. The body is made here, once, as text: what is
 * signed and sent later is exactly this (spec §6 rules 1–3).
 */
export function webhookDeliveries(event: EventName): Part {
  const about = event === 'asset.status_changed' ? 'asset' : 'incident'
  return (_bind, { from, fact, now }) => `
    insert into webhook_deliveries (subscription_id, event_id, event, body, created_at)
    select s.id, gen_random_uuid(), '${event}', json_build_object('event', '${event}', 'occurredAt', ${isoText(now)},
      'property', json_build_object('id', p.id, 'name', p.name), '${about}', ${fact})::text, ${now}
    from ${from}, webhook_subscriptions s, properties p
    where s.active and '${event}' = any (s.events)`
}
