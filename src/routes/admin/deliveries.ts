import { z } from 'zod'
import { retryMessage } from '../../actions/retryMessage.js'
import { own } from '../../domain/own.js'
import { type FailedDelivery, failedDeliveries } from '../../models/failedDelivery.js'
import { listOf } from '../../models/listing.js'
import { presentFailedDelivery } from '../../presenters/failedDelivery.js'
import { allow } from '../../web/allow.js'
import { body } from '../../web/body.js'
import { both } from '../../web/both.js'
import type { AppRouter, Context } from '../../web/context.js'
import { pathId } from '../../web/input.js'
import { respond } from '../../web/respond.js'
import { throttle } from '../../web/throttle.js'
import { linkMore, wantedOf } from './list.js'
import { outcomeOf } from './webhooks.js'

const kinds = ['mail', 'push', 'webhook'] as const
const listable = {
  listing: failedDeliveries,
  filters: { schema: { kind: z.enum(kinds, 'not_acceptable').optional() } },
}

/** Mails, pushes and webhooks that did not arrive, newest first; mails and pushes can be tried again. */
export function deliveryRoutes(router: AppRouter): void {
  router.get(both('/admin/deliveries'), allow('delivery.read'), async (ctx) => {
    const asked = wantedOf(ctx, listable)
    const wanted = { ...asked, sort: asked.sort ?? '-failed' }
    const { rows, more } = await listOf<FailedDelivery>(failedDeliveries, wanted)
    const data = rows.map(presentFailedDelivery)
    await respond(ctx, {
      data,
      view: 'admin/deliveries',
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
