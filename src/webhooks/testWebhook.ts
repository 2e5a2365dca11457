import { setTimeout as sleep } from 'node:timers/promises'
import { change } from '../platform/db/change.js'
import { testEvent } from '../vocabulary/events.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { type LoggedDelivery, WebhookSubscription } from './webhookSubscription.js'

/** Milliseconds to wait for the outcome, a little more than a delivery may take; and between two polls. */
const patience = 6_000
const pause = 100

/**
 * Sends one `webhook.test` with the property alone (decision 4.8); signed, sent once and logged as any other
 * delivery. Returns it when finished, or unfinished after 6 s. Throws NotFound.
 */
export async function testWebhook(actor: Actor, subscriptionId: number): Promise<LoggedDelivery> {
  const deliveryId = await change(actor, async (c) => {
    orNotFound(await WebhookSubscription.locked(c.trx, subscriptionId))
    const [property] = await c.query<{ id: number; name: string }>('select id, name from properties')
    const body = JSON.stringify({ event: testEvent, occurredAt: c.now, property })
    const [row] = await c.query<{ id: number }>(
      `insert into webhook_deliveries (subscription_id, event_id, event, body, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4) returning id`,
      [subscriptionId, testEvent, body, c.now],
    )
    c.audit('webhook_subscription.tested', subscriptionId, { event: { before: null, after: testEvent } })
    return row!.id
  })
  return outcomeOf(deliveryId)
}

async function outcomeOf(deliveryId: number): Promise<LoggedDelivery> {
  for (const began = performance.now(); ; await sleep(pause)) {
    const delivery = orNotFound(await WebhookSubscription.delivery(deliveryId))
    if (delivery.finishedAt || performance.now() - began > patience) return delivery
  }
}
