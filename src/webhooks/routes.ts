import { z } from 'zod'
import { idempotently } from '../platform/db/idempotently.js'
import { fetchPage } from '../platform/db/listing.js'
import type { Context } from '../platform/http/context.js'
import { SeenVersion } from '../platform/http/records/fields.js'
import { linkMore, listQuery, parseListQuery } from '../platform/http/records/list.js'
import { deletePage, editPage, listPage, newPage, refusedPage } from '../platform/http/records/pages.js'
import { deletedMeanwhile } from '../platform/http/records/resource.js'
import { both } from '../platform/http/request/both.js'
import { clearable, flag, line, oneOf } from '../platform/http/request/input.js'
import { noContent, page } from '../platform/http/route/answer.js'
import { emptyBody, partial } from '../platform/http/route/fields.js'
import { routePair } from '../platform/http/route/pair.js'
import { route } from '../platform/http/route/route.js'
import { bodyFormats } from '../vocabulary/bodyFormat.js'
import { eventNames } from '../vocabulary/events.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { presentNewSubscription, presentSubscription, WebhookJson } from './json.js'
import { webhooks } from './subscriptionForm.js'
import { WebhookSubscription } from './webhookSubscription.js'
import {
  createSubscription,
  deleteSubscription,
  rotateSecret,
  updateSubscription,
} from './webhookSubscriptions.js'

/** Unchanged to the character: a trailing space is part of the key. */
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
  format: oneOf('format', bodyFormats).optional(),
}

/**
 * A webhook subscription as staff send it (spec §2); fields the service sets itself are ignored.
 */
const CreateRequest = z
  .object({ ...fields, secret: secret.nullish(), active: flag('active').default(true) })
  .meta({ id: 'WebhookRequest' })
const UpdateRequest = z.object({ ...fields, secret, active: flag('active') }).meta({ id: 'WebhookChange' })

/** The form sends every field; an empty secret means a generated one, or the present one. */
const FormRequest = z.object({
  ...fields,
  secret: clearable(secret).transform((given) => given ?? undefined),
  active: flag('active'),
})

const list = '/admin/webhooks'
const form = { view: 'records/edit', load: (ctx: Context) => refusedPage(ctx, webhooks), conflicts: true }
const permission = 'webhook.manage'
const throttle = 'writes'

const reading = [
  route({
    method: 'get',
    paths: both('/admin/webhooks'),
    summary: 'Lists webhook subscriptions, newest first by default.',
    permission,
    query: listQuery(webhooks),
    answer: z.array(WebhookJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const wanted = parseListQuery(ctx, query, webhooks)
      const { rows, more } = await fetchPage<WebhookSubscription>(webhooks.listing, wanted)
      const next = linkMore(ctx, wanted, more)
      return {
        data: rows.map(presentSubscription),
        view: 'records/list',
        fragment: 'records/_rows',
        extras: () => listPage(ctx, webhooks, { rows, next, wanted }),
      }
    },
  }),

  route({
    method: 'get',
    paths: '/admin/webhooks/new',
    summary: 'The form to add a webhook subscription.',
    permission,
    answer: page,
    handle: async ({ ctx }) => ({ view: 'records/edit', extras: await newPage(ctx, webhooks) }),
  }),

  route({
    method: 'get',
    paths: both('/admin/webhooks/:id'),
    summary: 'One webhook subscription.',
    permission,
    answer: WebhookJson,
    handle: async ({ ctx, params }) => {
      const row = orNotFound(await WebhookSubscription.find(params.id))
      return {
        data: presentSubscription(row),
        view: 'records/edit',
        extras: () => editPage(ctx, webhooks, row),
      }
    },
  }),

  route({
    method: 'get',
    paths: '/admin/webhooks/:id/delete',
    summary: 'The page to confirm deleting one webhook subscription.',
    permission,
    answer: page,
    handle: async ({ ctx, params }) => {
      const row = orNotFound(await WebhookSubscription.find(params.id))
      return { view: 'records/delete', extras: await deletePage(ctx, webhooks, row) }
    },
  }),
]

const writing = [
  route({
    method: 'post',
    paths: '/api/admin/webhooks',
    summary: 'Adds a webhook subscription. Only this response shows its secret.',
    permission,
    throttle,
    idempotent: true,
    body: CreateRequest,
    answer: { 201: WebhookJson },
    handle: ({ body, actor }) => withSecret(actor, () => createSubscription(actor, body)),
  }),

  route({
    method: 'post',
    paths: '/admin/webhooks',
    summary: 'Does the same from a form.',
    permission,
    throttle,
    idempotent: true,
    body: FormRequest,
    answer: { 201: WebhookJson },
    form,
    handle: ({ body, actor }) => withSecret(actor, () => createSubscription(actor, body)),
  }),

  route({
    method: 'patch',
    paths: '/api/admin/webhooks/:id',
    summary: 'Changes the fields of one webhook subscription that are sent.',
    permission,
    throttle,
    body: partial(UpdateRequest),
    answer: WebhookJson,
    handle: async ({ params, body, actor }) => ({
      data: presentSubscription(await updateSubscription(actor, params.id, body)),
    }),
  }),

  route({
    method: 'post',
    paths: '/admin/webhooks/:id',
    summary: 'Does the same from a form, which sends the version it was loaded with.',
    permission,
    throttle,
    body: FormRequest.extend(SeenVersion.shape),
    answer: noContent,
    form,
    handle: async ({ params, body: { seen, ...given }, actor }) => {
      await updateSubscription(actor, params.id, given, seen ?? '').catch(deletedMeanwhile)
      return { location: `${list}/${params.id}`, notice: 'saved' }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/webhooks/:id/secret'),
    summary: 'Replaces the secret. Only this response shows the new one.',
    permission,
    throttle,
    idempotent: true,
    body: emptyBody,
    answer: WebhookJson,
    handle: ({ params, actor }) => withSecret(actor, () => rotateSecret(actor, params.id)),
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/admin/webhooks/:id',
    fromForm: '/admin/webhooks/:id/delete',
    summary: 'Deletes one webhook subscription.',
    permission,
    throttle,
    body: emptyBody,
    answer: noContent,
    handle: async ({ params, actor }) => {
      await deleteSubscription(actor, params.id)
      return { location: list, notice: 'deleted' }
    },
  }),
]

/** Webhook subscriptions, for staff (spec §4, decision 4.8). */
export const webhookRoutes = [...reading, ...writing]

/**
 * Answers with a new secret, once: a replay of the request gets the mask (decision 7.11). A browser
 * that sends its form again is redirected to the webhook's page.
 */
async function withSecret(actor: Actor, act: () => Promise<WebhookSubscription>) {
  const { row, fresh } = await idempotently(
    actor,
    async () => ({ row: await act(), fresh: true }),
    async (id) => ({ row: orNotFound(await WebhookSubscription.find(id)), fresh: false }),
  )
  return {
    data: fresh ? presentNewSubscription(row) : presentSubscription(row),
    location: `${list}/${row.id}`,
    ...(fresh ? { view: 'webhooks/secret' } : {}),
  }
}
