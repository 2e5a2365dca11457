import { z } from 'zod'
import { once } from '../actions/once.js'
import { testWebhook } from '../actions/testWebhook.js'
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from '../actions/webhookSubscriptions.js'
import { eventNames } from '../domain/events.js'
import { found } from '../domain/invalid.js'
import { WebhookSubscription } from '../models/webhookSubscription.js'
import { presentDelivery, presentNewSubscription, presentSubscription } from '../presenters/webhook.js'
import { allow } from '../web/allow.js'
import { body } from '../web/body.js'
import type { AppRouter } from '../web/context.js'
import { idempotent } from '../web/idempotency.js'
import { flag, input, line, oneOf, pathId } from '../web/input.js'
import { linkNext, pageOf } from '../web/paging.js'
import { respond } from '../web/respond.js'
import { throttle } from '../web/throttle.js'

/** To the character as given: a space at its end is part of the key. */
const secret = z
  .string('not_text')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => text.trim() !== '', 'secret_required')
  .refine((text) => [...text].length <= 500, 'secret_too_long')

const fields = {
  url: line('url', 2000),
  events: z
    .array(oneOf('events', eventNames), {
      error: ({ input: given }) => (given === undefined ? 'events_required' : 'events_unknown'),
    })
    .transform((events) => [...new Set(events)]),
}

/** A webhook subscription as staff send it (spec §2); what the service keeps itself is not read. */
const CreateRequest = z.object({ ...fields, secret: secret.nullish(), active: flag('active').default(true) })
const UpdateRequest = z.object({ ...fields, secret, active: flag('active') }).partial()

/** Webhook subscriptions, a test delivery and the delivery log, for staff (spec §4, decision 4.8). */
export function webhookRoutes(router: AppRouter): void {
  const list = '/api/admin/webhooks'
  const one = `${list}/:id`
  const managed = allow('webhook.manage')

  router.get(list, managed, async (ctx) => {
    const page = pageOf(ctx)
    const rows = await WebhookSubscription.list(page)
    linkNext(ctx, rows, page)
    await respond(ctx, { data: rows.map(presentSubscription) })
  })

  router.post(list, managed, throttle('writes'), body(), idempotent(), async (ctx) => {
    const given = input(ctx, CreateRequest)
    const { actor } = ctx.state
    const made = await once(
      actor,
      () => createSubscription(actor, given),
      async (id) => found(await WebhookSubscription.find(id)),
    )
    await respond(ctx, {
      data: presentNewSubscription(made),
      location: `/admin/webhooks/${made.id}`,
      status: 201,
    })
  })

  router.get(one, managed, async (ctx) => {
    await respond(ctx, { data: presentSubscription(found(await WebhookSubscription.find(pathId(ctx)))) })
  })

  router.patch(one, managed, throttle('writes'), body(), async (ctx) => {
    const id = pathId(ctx)
    const updated = await updateSubscription(ctx.state.actor, id, input(ctx, UpdateRequest))
    await respond(ctx, { data: presentSubscription(updated) })
  })

  router.delete(one, managed, throttle('writes'), body(), async (ctx) => {
    await deleteSubscription(ctx.state.actor, pathId(ctx))
    await respond(ctx, {})
  })

  router.post(`${one}/test`, managed, throttle('writes'), body(), async (ctx) => {
    const delivery = await testWebhook(ctx.state.actor, pathId(ctx))
    await respond(ctx, { data: presentDelivery(delivery), status: delivery.finishedAt ? 200 : 202 })
  })

  router.get(`${one}/deliveries`, managed, async (ctx) => {
    const subscription = found(await WebhookSubscription.find(pathId(ctx)))
    const page = pageOf(ctx)
    const rows = await WebhookSubscription.deliveries(subscription.id, page)
    linkNext(ctx, rows, page)
    await respond(ctx, { data: rows.map(presentDelivery) })
  })
}
