import { z } from 'zod'
import { retryMessage } from '../../actions/system/retryMessage.js'
import { own } from '../../domain/system/own.js'
import { type FailedDelivery, failedDeliveries } from '../../models/system/failedDelivery.js'
import { listOf } from '../../models/system/listing.js'
import { linkMore, listQuery, wantedOf } from '../../pages/records/list.js'
import { outcomeOf } from '../../pages/webhooks/webhooks.js'
import { presentFailedDelivery } from '../../presenters/system/failedDelivery.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { pathId, queryOf } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const kinds = ['mail', 'push', 'webhook'] as const
const listable = {
  listing: failedDeliveries,
  filters: { schema: { kind: z.enum(kinds, 'not_acceptable').optional() } },
}

/** Mails, pushes and webhooks that did not arrive, newest first; mails and pushes can be tried again. */
export function deliveryRoutes(router: AppRouter): void {
  router.get(both('/admin/deliveries'), allow('delivery.read'), async (ctx) => {
    const asked = wantedOf(ctx, queryOf(ctx, listQuery(listable)), listable)
    const wanted = { ...asked, sort: asked.sort ?? '-failed' }
    const { rows, more } = await listOf<FailedDelivery>(failedDeliveries, wanted)
    const data = rows.map(presentFailedDelivery)
    await respond(ctx, {
      data,
      view: 'system/failedDeliveries',
      extras: {
        wanted,
        kinds,
        next: linkMore(ctx, wanted, more),
        rows: data.map((row) => inWords(ctx, row)),
      },
    })
  })

  router.post(
    both('/admin/deliveries/:id/retry'),
    allow('delivery.retry'),
    throttle('writes'),
    body(),
    async (ctx) => {
      await retryMessage(ctx.state.actor, pathId(ctx))
      await respond(ctx, { data: { retried: true }, location: '/admin/deliveries', notice: 'retried' })
    },
  )
}

function inWords({ state: { text } }: Context, row: ReturnType<typeof presentFailedDelivery>) {
  const what = own<string>(text.deliveryPage.event, row.event) ?? row.event
  return {
    ...row,
    what: row.incidentId === null ? what : text.deliveryPage.about(what, row.incidentId),
    to: row.recipientName ?? row.url ?? text.deliveryPage.nobody,
    reason: row.kind === 'webhook' ? outcomeOf(text, row.why) : row.why,
  }
}
