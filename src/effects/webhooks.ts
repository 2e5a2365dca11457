import { randomUUID } from 'node:crypto'
import type { Happening } from '../domain/events.js'
import type { Statement } from './statement.js'

/**
 * One delivery row per active subscription that listens to the event. The body is made here, once, as text: what is
 * signed and sent later is exactly this (spec §6 rules 1–3).
 */
export function webhookDeliveries(happening: Happening, now: Date): Statement {
  const [kind, fact] = 'asset' in happening ? ['asset', happening.asset] : ['incident', happening.incident]
  return {
    text: `insert into webhook_deliveries (subscription_id, event_id, event, body, created_at)
      select s.id, $1::uuid, $2, json_build_object('event', $2::text, 'occurredAt', $3::text,
        'property', json_build_object('id', p.id, 'name', p.name), $4::text, $5::json)::text, $6::timestamptz
      from webhook_subscriptions s, properties p
      where s.active and $2 = any (s.events)`,
    values: [randomUUID(), happening.event, now.toISOString(), kind, JSON.stringify(fact), now],
  }
}
