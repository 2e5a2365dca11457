import { z } from 'zod'
import { fetchPage } from '../../platform/db/listing.js'
import type { Context } from '../../platform/http/context.js'
import { shape } from '../../platform/http/json.js'
import { linkMore, listQuery, parseListQuery } from '../../platform/http/records/list.js'
import { both } from '../../platform/http/request/both.js'
import { noFields } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { jobStates } from '../../platform/ops/jobRun.js'
import { failingMessages } from '../../platform/outbox/failing.js'
import { reasonOf } from '../../vocabulary/email/deliveryReasons.js'
import { own } from '../../vocabulary/own.js'
import { outcomeOf } from '../../webhooks/subscriptionForm.js'
import { addressMails } from '../follow/followerQueries.js'
import { presentJob, presentWaiting } from '../waitingJson.js'
import { FailedDeliveryJson, type PresentedFailure, presentFailedDelivery } from './json.js'
import { deliveryKinds, type FailedDelivery, failedDeliveries } from './queries.js'
import { retryMessage } from './retryMessage.js'

const listable = {
  listing: failedDeliveries,
  filters: { schema: { kind: z.enum(deliveryKinds, 'not_acceptable').optional() } },
}

/** Mails, pushes and webhooks that did not arrive, newest first; mails and pushes can be retried. */
export const deliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/deliveries'),
    summary: 'Lists mails, pushes and webhooks that did not arrive, newest first.',
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
    summary: 'Tries a mail or push again that was given up.',
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
