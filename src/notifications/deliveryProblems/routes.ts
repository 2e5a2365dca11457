import { z } from 'zod'
import { jobStates } from '../../platform/db/jobRun.js'
import { fetchPage } from '../../platform/db/listing.js'
import type { Context } from '../../platform/http/context.js'
import { fromRow, shape } from '../../platform/http/json.js'
import { both } from '../../platform/http/paths.js'
import type { RowOf } from '../../platform/http/records/entityTypes.js'
import { linkMore, listQuery, parseListQuery } from '../../platform/http/records/resourcePages.js'
import { route } from '../../platform/http/route/route.js'
import { failingMessages } from '../../platform/outbox/failingMessages.js'
import type { Text } from '../../text/index.js'
import { own } from '../../vocabulary/collections.js'
import { reasonOf } from '../../vocabulary/email/delivery.js'
import { jobNames } from '../../vocabulary/jobs.js'
import { outcomeText } from '../../webhooks/outcomeText.js'
import { emailFollowerStatistics } from './emailFollowerStatistics.js'
import {
  deliveryKinds,
  FailedDeliveryJson,
  type failureEntity,
  listing,
  notConfirmed,
  type PresentedFailure,
  present,
} from './failedDeliveries.js'
import { ScheduledJobJson } from './jobRoutes.js'
import { retryMessage } from './retryMessage.js'
import { WaitingJson } from './waitingJson.js'

/** `kind`: of the delivery that is meant, because a webhook's id may be a message's as well. */
const RetryRequest = z
  .object({ kind: z.enum(deliveryKinds, 'not_acceptable').nullish() })
  .meta({ id: 'RetryRequest' })

const listable = {
  listing,
  order: '-failed',
  jsonOrder: '-failed',
  filters: { schema: { kind: z.enum(deliveryKinds, 'not_acceptable').optional() } },
}

/**
 * Emails, pushes and webhooks that did not arrive or were not confirmed, newest first; emails and
 * pushes can be retried.
 */
export const failedDeliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/deliveries'),
    group: 'webhooks',
    summary:
      'Lists emails, app notifications and webhooks that couldn’t be delivered or weren’t confirmed, newest first.',
    permission: 'delivery.read',
    query: listQuery(listable),
    answer: z.array(FailedDeliveryJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const wanted = parseListQuery(ctx, query, listable)
      const { before } = wanted
      const [{ rows, more }, followerStatistics, waiting, jobs] = await Promise.all([
        fetchPage<RowOf<typeof failureEntity>>(listing, {
          ...wanted,
          // As in `failedDeliveriesSql`: an id of a row is twice that of its message or webhook.
          before: before === undefined ? undefined : 2 * before,
        }),
        emailFollowerStatistics(),
        failingMessages(),
        jobStates(jobNames),
      ])
      const data = rows.map(present)
      return {
        data,
        view: 'notifications/failedDeliveries',
        extras: {
          wanted,
          kinds: deliveryKinds,
          followerStatistics,
          waiting: waiting.map((row) => fromRow(WaitingJson, row)),
          jobs: jobs.map((row) => fromRow(ScheduledJobJson, row)),
          next: linkMore(ctx, wanted, more),
          rows: data.map((row) => inWords(ctx, row)),
        },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/deliveries/:id/retry'),
    group: 'webhooks',
    summary:
      'Sends an email or app notification again that failed or wasn’t confirmed. A webhook can have the same id, so send the kind.',
    permission: 'delivery.retry',
    throttle: 'writes',
    body: RetryRequest,
    answer: shape('Retried', { retried: z.boolean() }),
    handle: async ({ params, body: { kind }, actor }) => {
      await retryMessage(actor, params.id, kind ?? null)
      return { data: { retried: true }, location: '/admin/deliveries', notice: 'retried' }
    },
  }),

  // What the page shows above its list, for programs.
  route({
    method: 'get',
    paths: '/api/admin/deliveries/waiting',
    group: 'webhooks',
    summary: 'Emails and app notifications waiting for another attempt, by type, with the reasons.',
    permission: 'delivery.read',
    answer: z.array(WaitingJson),
    handle: async () => ({ data: (await failingMessages()).map((row) => fromRow(WaitingJson, row)) }),
  }),
]

function inWords({ state: { text } }: Context, row: PresentedFailure) {
  const what = own<string>(text.deliveryPage.event, row.event) ?? row.event
  return {
    ...row,
    what: row.incidentId === null ? what : text.deliveryPage.about(what, row.incidentId),
    to: row.recipientName ?? row.recipientEmail ?? row.url ?? text.deliveryPage.noOne,
    reason: reasonInWords(text, row),
  }
}

function reasonInWords(t: Text, { kind, why }: PresentedFailure): string {
  if (kind === 'webhook') return outcomeText(t, why)
  const { reason } = t.deliveryPage
  return why === notConfirmed ? reason.not_confirmed : `${reason[reasonOf(why)]} (${why})`
}
