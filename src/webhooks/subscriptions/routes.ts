import { idempotently } from '../../platform/db/idempotently.js'
import { countsOf } from '../../platform/db/listing.js'
import { both } from '../../platform/http/paths.js'
import { resourceFrom } from '../../platform/http/records/entity.js'
import {
  deletedMeanwhile,
  formOf,
  readRoutes,
  removeRoutes,
} from '../../platform/http/records/resourceRoutes.js'
import { RecordVersion, yesOrNo } from '../../platform/http/records/sharedFields.js'
import { queryFlag } from '../../platform/http/request/query.js'
import { noContent } from '../../platform/http/route/answerContent.js'
import { emptyBody, partial } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { clearable, flag } from '../../vocabulary/inputRules.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import {
  createSubscription,
  deleteSubscription,
  type NewSubscription,
  rotateSecret,
  subscriptionKind,
  updateSubscription,
} from './acts.js'
import {
  maskedSecret,
  presentSubscription,
  secretInput,
  subscriptionEntity,
  subscriptionInput,
  WebhookJson,
  WebhookSubscription,
} from './entity.js'

/** The pages of webhook subscriptions: list, form, confirmation (spec §4, decision 4.8). */
const webhooks = resourceFrom(subscriptionEntity, {
  path: 'webhooks',
  group: 'webhooks',
  permission: 'webhook.manage',
  kind: subscriptionKind,
  // The audit log has no secret, so a deleted webhook cannot be put back.
  acts: { remove: deleteSubscription, undelete: null },
  filters: {
    schema: { active: queryFlag.optional() },
    fields: async (ctx) => [{ name: 'active', control: 'select', options: yesOrNo(ctx) }],
  },
  nameOf: ({ url }) => new URL(url).host,
  words: (t) => t.webhookPages,
  values: () => ({ secret: '' }),
  defaults: { active: true, format: 'caretaker' },
  dependents: async ({ id }, { records }) => {
    const { deliveries } = await countsOf({
      deliveries: ['select count(*) from webhook_deliveries where subscription_id = $1', id],
    })
    return [{ count: deliveries, text: records.dependents.deliveries(deliveries), blocks: false }]
  },
  below: { view: 'webhooks/_below', load: async ({ secret }) => ({ mask: maskedSecret(secret) }) },
})

/**
 * A webhook subscription as staff send it (spec §2); fields the service sets itself are ignored.
 */
const CreateRequest = subscriptionInput
  .extend({ secret: secretInput.nullish() })
  .meta({ id: 'WebhookRequest' })
const UpdateRequest = subscriptionInput
  .extend({ secret: secretInput, active: flag('active') })
  .meta({ id: 'WebhookChange' })

/** The form sends every field; an empty secret means a generated one, or the present one. */
const FormRequest = subscriptionInput.extend({
  secret: clearable(secretInput).transform((secret) => secret ?? undefined),
  active: flag('active'),
})

const list = '/admin/webhooks'
const form = formOf(webhooks)
const shared = { permission: 'webhook.manage', throttle: 'writes' } as const
const creating = {
  ...shared,
  method: 'post',
  idempotent: true,
  answer: { 201: WebhookJson },
  handle: ({ body, actor }: { body: NewSubscription; actor: Actor }) =>
    withSecret(actor, () => createSubscription(actor, body)),
} as const

const writing = [
  route({
    ...creating,
    paths: '/api/admin/webhooks',
    group: 'webhooks',
    summary: 'Adds a webhook subscription. Only this response shows its secret.',
    body: CreateRequest,
  }),

  route({
    ...creating,
    paths: list,
    summary: 'Does the same from a form.',
    body: FormRequest,
    form,
  }),

  route({
    ...shared,
    method: 'patch',
    paths: '/api/admin/webhooks/:id',
    group: 'webhooks',
    summary: 'Changes the fields of one webhook subscription that are sent.',
    body: partial(UpdateRequest),
    answer: WebhookJson,
    handle: async ({ params, body, actor }) => ({
      data: presentSubscription(await updateSubscription(actor, params.id, body)),
    }),
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/admin/webhooks/:id',
    summary: 'Does the same from a form, which sends the version it was loaded with.',
    body: FormRequest.extend(RecordVersion.shape),
    answer: noContent,
    form,
    handle: async ({ params, body: { version, ...patch }, actor }) => {
      await updateSubscription(actor, params.id, patch, version ?? '').catch(deletedMeanwhile)
      return { location: `${list}/${params.id}`, notice: 'saved' }
    },
  }),

  route({
    ...shared,
    method: 'post',
    paths: both('/admin/webhooks/:id/secret'),
    group: 'webhooks',
    summary: 'Replaces the secret. Only this response shows the new one.',
    idempotent: true,
    body: emptyBody,
    answer: WebhookJson,
    handle: ({ params, actor }) => withSecret(actor, () => rotateSecret(actor, params.id)),
  }),
]

/** Webhook subscriptions, for staff (spec §4, decision 4.8). */
export const webhookRoutes = [...readRoutes(webhooks), ...writing, ...removeRoutes(webhooks)]

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
    data: { ...presentSubscription(row), ...(fresh ? { secret: row.secret } : {}) },
    location: `${list}/${row.id}`,
    ...(fresh ? { view: 'webhooks/secret' } : {}),
  }
}
