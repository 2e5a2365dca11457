import { z } from 'zod'
import { retryMessage } from '../../actions/system/retryMessage.js'
import { reasonOf } from '../../domain/mail/deliveryReasons.js'
import { own } from '../../domain/system/own.js'
import { failingMessages } from '../../models/mail/failing.js'
import { addressMails } from '../../models/mail/mailFollower.js'
import { deliveryKinds, type FailedDelivery, failedDeliveries } from '../../models/system/failedDelivery.js'
import { jobStates } from '../../models/system/jobRun.js'
import { fetchPage } from '../../models/system/listing.js'
import { linkMore, listQuery, parseListQuery } from '../../pages/records/list.js'
import { outcomeOf } from '../../pages/webhooks/subscriptionForm.js'
import { shape } from '../../presenters/json.js'
import {
  FailedDeliveryJson,
  type PresentedFailure,
  presentFailedDelivery,
} from '../../presenters/system/failedDelivery.js'
import { presentJob, presentWaiting } from '../../presenters/system/waiting.js'
import type { Context } from '../../web/context.js'
import { both } from '../../web/request/both.js'
import { noFields } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'

const listable = {
  listing: failedDeliveries,
  filters: { schema: { kind: z.enum(deliveryKinds, 'not_acceptable').optional() } },
}

/** Mails, pushes and webhooks that did not arrive, newest first; mails and pushes can be retried. */
export const deliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/deliveries'),
    summary: 'Lists emails, app notifications and webhooks that couldn’t be delivered, newest first.',
    permission: 'delivery.read',
    query: listQuery(listable),
    answer: z.array(FailedDeliveryJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const asked = parseListQuery(ctx, query, listable)
      const wanted = { ...asked, sort: asked.sort ?? '-failed' }
      const [{ rows, more }, byAddress, waiting, jobs] = await Promise.all([
        fetchPage<FailedDelivery>(failedDeliveries, wanted),
        addressMails(),
        failingMessages(),
        jobStates(),
      ])
      const data = rows.map(presentFailedDelivery)
      return {
        data,
        view: 'system/failedDeliveries',
        extras: {
          wanted,
          kinds: deliveryKinds,
          byAddress,
          waiting: waiting.map(presentWaiting),
          jobs: jobs.map(presentJob),
          next: linkMore(ctx, wanted, more),
          rows: data.map((row) => inWords(ctx, row)),
        },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/deliveries/:id/retry'),
    summary: 'Retries a failed email or app notification.',
    permission: 'delivery.retry',
    throttle: 'writes',
    body: noFields,
    answer: shape('Retried', { retried: z.boolean() }),
    handle: async ({ params, actor }) => {
      await retryMessage(actor, params.id)
      return { data: { retried: true }, location: '/admin/deliveries', notice: 'retried' }
    },
  }),
]

function inWords({ state: { text } }: Context, row: PresentedFailure) {
  const what = own<string>(text.deliveryPage.event, row.event) ?? row.event
  return {
    ...row,
    what: row.incidentId === null ? what : text.deliveryPage.about(what, row.incidentId),
    to: row.recipientName ?? row.recipientEmail ?? row.url ?? text.deliveryPage.nobody,
    reason:
      row.kind === 'webhook'
        ? outcomeOf(text, row.why)
        : `${text.deliveryPage.reason[reasonOf(row.why)]} (${row.why})`,
  }
}
