import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Property } from '../../building/building.js'
import { change } from '../../platform/db/change.js'
import { testEvent } from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { WebhookSubscription } from '../subscriptions/entity.js'
import { deliveryTimeout } from '../webhookPolicy.js'
import { findDelivery, type LoggedDelivery } from './entity.js'

/** Milliseconds to wait for the outcome: what a delivery may take, and its way there and back. */
const longestWait = deliveryTimeout + 1_000
/** Milliseconds between two looks at the log. */
const betweenLooks = 100

/**
 * Sends one `webhook.test` with the property alone (decision 4.8); signed, sent once and logged as
 * any other delivery. Returns it when finished; unfinished after `longestWait`, or when its
 * subscription is deleted meanwhile. Throws NotFound.
 */
export async function testWebhook(actor: Actor, subscriptionId: number): Promise<LoggedDelivery> {
  const delivery = await change(actor, async (c) => {
    orNotFound(await WebhookSubscription.locked(c.trx, subscriptionId))
    const property = await Property.query(c.trx).first().select('id', 'name')
    const body = JSON.stringify({ event: testEvent, occurredAt: c.now, property })
    const [row]: { id: number }[] = await c
      .trx('webhook_deliveries')
      .insert({ subscriptionId, eventId: randomUUID(), event: testEvent, body, createdAt: c.now })
      .returning('id')
    c.audit('webhook_subscription.tested', subscriptionId, { event: { before: null, after: testEvent } })
    const waiting = { status: null, durationMs: null, createdAt: c.now, finishedAt: null }
    return { id: row!.id, event: testEvent, body, ...waiting }
  })
  return waitUntilFinished(delivery)
}

/** Polls the log until the delivery has an outcome or is deleted, for `longestWait` at most. */
async function waitUntilFinished(waiting: LoggedDelivery): Promise<LoggedDelivery> {
  const giveUpAt = performance.now() + longestWait
  while (true) {
    const delivery = await findDelivery(waiting.id)
    if (!delivery) return waiting
    if (delivery.finishedAt || performance.now() > giveUpAt) return delivery
    await sleep(betweenLooks)
  }
}
