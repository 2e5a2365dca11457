import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Property } from '../building/building.js'
import { change } from '../platform/db/change.js'
import { countColumn, idColumn, instantColumn, orNull, textColumn } from '../platform/db/columnKinds.js'
import { pageInBytes } from '../platform/db/listing.js'
import type { Context } from '../platform/http/context.js'
import { both } from '../platform/http/paths.js'
import { entity } from '../platform/http/records/entity.js'
import type { RowOf } from '../platform/http/records/entityTypes.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../platform/http/request/paging.js'
import { emptyBody } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { testEvent } from '../vocabulary/events.js'
import { limits, parseId } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { outcomeOf, WebhookSubscription } from './subscription.js'

/**
 * A delivery in the log; `status` and `finishedAt` are null until it ends. `body` is then the
 * signed text, byte for byte (decision 4.8).
 */
const deliveryEntity = entity({
  name: 'webhook_delivery',
  json: { office: 'WebhookDelivery' },
  from: 'webhook_deliveries r',
  fields: {
    id: { kind: idColumn },
    event: { kind: textColumn },
    status: { kind: orNull(textColumn) },
    durationMs: { kind: orNull(countColumn) },
    createdAt: { kind: instantColumn },
    finishedAt: { kind: orNull(instantColumn) },
    body: { kind: textColumn },
  },
})
const { json: DeliveryJson, present, find: findDelivery, listing } = deliveryEntity.records
type LoggedDelivery = RowOf<typeof deliveryEntity>

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
    const property = await Property.query(c.trx).first().select('id', 'name')
    const body = JSON.stringify({ event: testEvent, occurredAt: c.now, property })
    const [row]: { id: number }[] = await c
      .trx('webhook_deliveries')
      .insert({ subscriptionId, eventId: randomUUID(), event: testEvent, body, createdAt: c.now })
      .returning('id')
    c.audit('webhook_subscription.tested', subscriptionId, { event: { before: null, after: testEvent } })
    return row!.id
  })
  return waitUntilFinished(deliveryId)
}

/** Polls the log until the delivery has an outcome, at most for `patience`. Throws NotFound. */
async function waitUntilFinished(deliveryId: number): Promise<LoggedDelivery> {
  const giveUpAt = performance.now() + patience
  while (true) {
    const delivery = orNotFound(await findDelivery(deliveryId))
    if (delivery.finishedAt || performance.now() > giveUpAt) return delivery
    await sleep(pause)
  }
}

const permission = 'webhook.manage'
const throttle = 'writes'

/** The delivery log of a webhook subscription, and a test delivery (decision 6.11). */
export const webhookDeliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/webhooks/:id/deliveries'),
    group: 'webhooks',
    summary: 'Lists the deliveries of a webhook subscription and their outcomes, newest first.',
    permission,
    subject: async ({ params }) => orNotFound(await WebhookSubscription.find(params.id)),
    query: PageQuery,
    answer: z.array(DeliveryJson),
    paged: true,
    handle: async ({ ctx, subject: subscription, query }) => {
      const { before, limit } = pageOf(ctx, query)
      const log = await pageInBytes<LoggedDelivery>(
        `select ${listing.columns} from ${listing.from}
         where subscription_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
        [subscription.id, before ?? null, limit + 1],
        { limit, bytes: limits.listBytes },
      )
      const next = linkNext(ctx, olderThan(log))
      return {
        data: log.rows.map(present),
        view: 'webhooks/deliveries',
        extras: { ...logPage(ctx, subscription, log.rows), older: before !== undefined, next },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/webhooks/:id/test'),
    group: 'webhooks',
    summary: 'Sends a webhook.test event. Responds with 202 while the outcome isn’t known.',
    permission,
    throttle,
    body: emptyBody,
    answer: { 200: DeliveryJson, 202: DeliveryJson },
    handle: async ({ params, actor }) => {
      const delivery = await testWebhook(actor, params.id)
      return {
        data: present(delivery),
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
      ...present(row),
      outcome: outcomeOf(text, row.status),
      arrived: row.status?.startsWith('2') ?? false,
    })),
    tested,
  }
}
