import { z } from 'zod'
import { both } from '../platform/http/request/both.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../platform/http/request/paging.js'
import { noFields } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { orNotFound } from '../vocabulary/validation.js'
import { DeliveryJson, presentDelivery } from './json.js'
import { logPage } from './subscriptionForm.js'
import { testWebhook } from './testWebhook.js'
import { WebhookSubscription } from './webhookSubscription.js'

const permission = 'webhook.manage'
const throttle = 'writes'

/** The delivery log of a webhook subscription, and a test delivery (decision 6.11). */
export const webhookDeliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/webhooks/:id/deliveries'),
    summary: 'Lists what was sent to a webhook subscription, newest first, with how it went.',
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
        data: log.rows.map(presentDelivery),
        view: 'webhooks/deliveries',
        extras: { ...logPage(ctx, subscription, log.rows), older: asked.before !== undefined, next },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/webhooks/:id/test'),
    summary: 'Sends the event webhook.test: 202 while its outcome is not known yet.',
    permission,
    throttle,
    body: noFields,
    answer: { 200: DeliveryJson, 202: DeliveryJson },
    handle: async ({ params, actor }) => {
      const delivery = await testWebhook(actor, params.id)
      return {
        data: presentDelivery(delivery),
        location: `/admin/webhooks/${params.id}/deliveries?tested=${delivery.id}`,
        status: delivery.finishedAt ? 200 : 202,
      }
    },
  }),
]
