import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { change } from '../platform/db/change.js'
import type { Context } from '../platform/http/context.js'
import { fromRow, instantText, rowId, shape, wholeNumber } from '../platform/http/json.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../platform/http/request/paging.js'
import { both } from '../platform/http/request/paths.js'
import { emptyBody } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { testEvent } from '../vocabulary/events.js'
import { parseId } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { type LoggedDelivery, outcomeOf, WebhookSubscription } from './subscription.js'

/** An entry of a delivery log; `body` is the signed text, byte for byte (decision 4.8). */
const DeliveryJson = shape('WebhookDelivery', {
  id: rowId,
  event: z.string(),
  status: z.string().nullable(),
  durationMs: wholeNumber.nullable(),
  createdAt: instantText,
  finishedAt: instantText.nullable(),
  body: z.string(),
})

/**
 * Milliseconds to wait for the outcome, a little more than a delivery may take; and between two
 * polls.
 */
const patience = 6_000
const pause = 100

/**
 * Sends one `webhook.test` with the property alone (decision 4.8); signed, sent once and logged as
 * any other delivery. Returns it when finished, or unfinished after 6 s. Throws NotFound.
 */
async function testWebhook(actor: Actor, subscriptionId: number): Promise<LoggedDelivery> {
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
  return finished(deliveryId)
}

async function finished(deliveryId: number): Promise<LoggedDelivery> {
  for (const began = performance.now(); ; await sleep(pause)) {
    const delivery = orNotFound(await WebhookSubscription.delivery(deliveryId))
    if (delivery.finishedAt || performance.now() - began > patience) return delivery
  }
}

const permission = 'webhook.manage'
const throttle = 'writes'

/** The delivery log of a webhook subscription, and a test delivery (decision 6.11). */
export const webhookDeliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/webhooks/:id/deliveries'),
    summary: 'Lists the deliveries of a webhook subscription and their outcomes, newest first.',
    permission,
    subject: async ({ params }) => orNotFound(await WebhookSubscription.find(params.id)),
    query: PageQuery,
    answer: z.array(DeliveryJson),
    paged: true,
    handle: async ({ ctx, subject: subscription, query }) => {
      const asked = pageOf(ctx, query)
      const log = await WebhookSubscription.deliveries(subscription.id, asked)
      const next = linkNext(ctx, olderThan(log))
      return {
        data: log.rows.map((row) => fromRow(DeliveryJson, row)),
        view: 'webhooks/deliveries',
        extras: { ...logPage(ctx, subscription, log.rows), older: asked.before !== undefined, next },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/webhooks/:id/test'),
    summary: 'Sends a webhook.test event. Responds with 202 while the outcome isn’t known.',
    permission,
    throttle,
    body: emptyBody,
    answer: { 200: DeliveryJson, 202: DeliveryJson },
    handle: async ({ params, actor }) => {
      const delivery = await testWebhook(actor, params.id)
      return {
        data: fromRow(DeliveryJson, delivery),
        location: `/admin/webhooks/${params.id}/deliveries?tested=${delivery.id}`,
        status: delivery.finishedAt ? 200 : 202,
      }
    },
  }),
]

/** The delivery log's page: outcomes in words, and the test just sent. */
function logPage(
  ctx: Context,
  { id, url }: WebhookSubscription,
  rows: LoggedDelivery[],
): Record<string, unknown> {
  const { text } = ctx.state
  const tested = parseId(typeof ctx.query.tested === 'string' ? ctx.query.tested : undefined)
  return {
    url,
    back: `/admin/webhooks/${id}`,
    rows: rows.map((row) => ({
      ...fromRow(DeliveryJson, row),
      outcome: outcomeOf(text, row.status),
      arrived: row.status?.startsWith('2') ?? false,
    })),
    tested,
  }
}
