import { z } from 'zod'
import { once } from '../../actions/system/once.js'
import { testWebhook } from '../../actions/webhooks/testWebhook.js'
import {
  createSubscription,
  deleteSubscription,
  type NewSubscription,
  rotateSecret,
  updateSubscription,
} from '../../actions/webhooks/webhookSubscriptions.js'
import { found } from '../../domain/system/invalid.js'
import { eventNames } from '../../domain/webhooks/events.js'
import { listOf } from '../../models/system/listing.js'
import { WebhookSubscription } from '../../models/webhooks/webhookSubscription.js'
import { SeenVersion } from '../../pages/records/fields.js'
import { linkMore, listQuery, wantedOf } from '../../pages/records/list.js'
import { deletePage, editPage, listPage, newPage, refusedPage } from '../../pages/records/pages.js'
import { logPage, webhooks } from '../../pages/webhooks/webhooks.js'
import {
  presentDelivery,
  presentNewSubscription,
  presentSubscription,
} from '../../presenters/webhooks/webhook.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { idempotent } from '../../web/request/idempotency.js'
import { clearable, flag, input, line, oneOf, pathId, queryOf } from '../../web/request/input.js'
import { linkNext, pageOf } from '../../web/request/paging.js'
import { throttle } from '../../web/request/throttle.js'
import { keptWhenGone } from '../records/resource.js'

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

/** The form sends every field; an empty secret is none of its own, or the one there is. */
const FormRequest = z.object({
  ...fields,
  secret: clearable(secret).transform((given) => given ?? undefined),
  active: flag('active'),
})

const list = '/admin/webhooks'
const one = `${list}/:id`

/** Webhook subscriptions, a test delivery and the delivery log, for staff (spec §4, decisions 4.8, 6.11). */
export function webhookRoutes(router: AppRouter): void {
  const managed = allow('webhook.manage')
  const writes = [managed, throttle('writes'), body()] as const
  const shown = form({ view: 'records/edit', load: (ctx) => refusedPage(ctx, webhooks), conflicts: true })

  router.get(both(list), managed, async (ctx) => {
    const wanted = wantedOf(ctx, queryOf(ctx, listQuery(webhooks)), webhooks)
    const { rows, more } = await listOf<WebhookSubscription>(webhooks.listing, wanted)
    const next = linkMore(ctx, wanted, more)
    await respond(ctx, {
      data: rows.map(presentSubscription),
      view: 'records/list',
      fragment: 'records/_rows',
      extras: () => listPage(ctx, webhooks, { rows, next, wanted }),
    })
  })

  router.get(`${list}/new`, managed, async (ctx) => {
    await respond(ctx, { view: 'records/edit', extras: await newPage(ctx, webhooks) })
  })

  router.post(`/api${list}`, ...writes, idempotent(), (ctx) => create(ctx, input(ctx, CreateRequest)))
  router.post(list, ...writes, idempotent(), shown, (ctx) => create(ctx, input(ctx, FormRequest)))

  router.get(both(one), managed, async (ctx) => {
    const row = found(await WebhookSubscription.find(pathId(ctx)))
    await respond(ctx, {
      data: presentSubscription(row),
      view: 'records/edit',
      extras: () => editPage(ctx, webhooks, row),
    })
  })

  router.patch(`/api${one}`, ...writes, async (ctx) => {
    const id = pathId(ctx)
    const updated = await updateSubscription(ctx.state.actor, id, input(ctx, UpdateRequest))
    await respond(ctx, { data: presentSubscription(updated) })
  })

  router.post(one, ...writes, shown, async (ctx) => {
    const id = pathId(ctx)
    const given = input(ctx, FormRequest)
    const { seen } = input(ctx, SeenVersion)
    await updateSubscription(ctx.state.actor, id, given, seen ?? '').catch(keptWhenGone)
    await respond(ctx, { location: `${list}/${id}`, notice: 'saved' })
  })

  router.post(both(`${one}/secret`), ...writes, idempotent(), async (ctx) => {
    const { actor } = ctx.state
    await answerSecret(ctx, 200, () => rotateSecret(actor, pathId(ctx)))
  })

  router.get(`${one}/delete`, managed, async (ctx) => {
    const row = found(await WebhookSubscription.find(pathId(ctx)))
    await respond(ctx, { view: 'records/delete', extras: await deletePage(ctx, webhooks, row) })
  })

  router.delete(`/api${one}`, ...writes, remove)
  router.post(`${one}/delete`, ...writes, remove)

  router.post(both(`${one}/test`), ...writes, async (ctx) => {
    const id = pathId(ctx)
    const delivery = await testWebhook(ctx.state.actor, id)
    await respond(ctx, {
      data: presentDelivery(delivery),
      location: `${list}/${id}/deliveries?tested=${delivery.id}`,
      status: delivery.finishedAt ? 200 : 202,
    })
  })

  router.get(both(`${one}/deliveries`), managed, async (ctx) => {
    const subscription = found(await WebhookSubscription.find(pathId(ctx)))
    const page = pageOf(ctx)
    const rows = await WebhookSubscription.deliveries(subscription.id, page)
    if (rows.length === page.limit) linkNext(ctx, rows)
    await respond(ctx, {
      data: rows.map(presentDelivery),
      view: 'webhooks/deliveries',
      extras: () => logPage(ctx, subscription, rows, page),
    })
  })
}

function create(ctx: Context, given: NewSubscription): Promise<void> {
  return answerSecret(ctx, 201, () => createSubscription(ctx.state.actor, given))
}

/**
 * Answers with a secret that was just made, once: a repetition of the request is answered with the mask, whatever the
 * secret is by then (decision 7.11). A browser that sends its form again opens the webhook's page.
 */
async function answerSecret(
  ctx: Context,
  status: number,
  act: () => Promise<WebhookSubscription>,
): Promise<void> {
  const { row, fresh } = await once(
    ctx.state.actor,
    async () => ({ row: await act(), fresh: true }),
    async (id) => ({ row: found(await WebhookSubscription.find(id)), fresh: false }),
  )
  await respond(ctx, {
    data: fresh ? presentNewSubscription(row) : presentSubscription(row),
    location: `${list}/${row.id}`,
    ...(fresh ? { view: 'webhooks/secret' } : {}),
    status,
  })
}

async function remove(ctx: Context): Promise<void> {
  await deleteSubscription(ctx.state.actor, pathId(ctx))
  await respond(ctx, { location: list, notice: 'deleted' })
}
