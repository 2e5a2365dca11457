import { z } from 'zod'
import { testWebhook } from '../../actions/webhooks/testWebhook.js'
import { orNotFound } from '../../domain/system/validation.js'
import { WebhookSubscription } from '../../models/webhooks/webhookSubscription.js'
import { logPage } from '../../pages/webhooks/subscriptionForm.js'
import { DeliveryJson, presentDelivery } from '../../presenters/webhooks/webhook.js'
import { both } from '../../web/request/both.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../../web/request/paging.js'
import { noFields } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'

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
        data: log.rows.map(presentDelivery),
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
