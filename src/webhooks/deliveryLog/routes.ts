import { z } from 'zod'
import { pageInBytes } from '../../platform/db/listing.js'
import type { Context } from '../../platform/http/context.js'
import { both } from '../../platform/http/paths.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../../platform/http/request/paging.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { limits, parseId } from '../../vocabulary/limits.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { isDelivered } from '../../vocabulary/webhookStatus.js'
import { outcomeText } from '../outcomeText.js'
import { WebhookSubscription } from '../subscriptions/entity.js'
import { DeliveryJson, type LoggedDelivery, listing, present } from './entity.js'
import { testWebhook } from './testWebhook.js'

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
      outcome: outcomeText(text, row.status),
      arrived: row.status !== null && isDelivered(row.status),
    })),
    tested,
  }
}
