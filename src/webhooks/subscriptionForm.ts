import { countsOf } from '../platform/db/dependents.js'
import type { Context } from '../platform/http/context.js'
import type { Resource } from '../platform/http/records/description.js'
import { options } from '../platform/http/records/pages.js'
import { queryFlag } from '../platform/http/request/input.js'
import type { Text } from '../text/index.js'
import { bodyFormats } from '../vocabulary/bodyFormat.js'
import { eventNames } from '../vocabulary/events.js'
import { parseId } from '../vocabulary/limits.js'
import { presentDelivery, presentSubscription, WebhookJson } from './json.js'
import { maskedSecret } from './webhookSecret.js'
import { type LoggedDelivery, WebhookSubscription } from './webhookSubscription.js'
import { subscriptionKind } from './webhookSubscriptions.js'

/** The pages of webhook subscriptions: list, form, confirmation (spec §4, decision 4.8). */
export const webhooks: Resource<WebhookSubscription, typeof WebhookJson> = {
  path: 'webhooks',
  permission: 'webhook.manage',
  kind: subscriptionKind,
  listing: {
    columns: `r.id, r.url, r.secret, r.events, r.active, r.format, r.last_status as "lastStatus", r.last_fired_at as "lastFiredAt"`,
    from: 'webhook_subscriptions r',
    search: 'r.url',
    sorts: {
      url: { by: 'lower(r.url)', type: 'text' },
      fired: { by: `coalesce(r.last_fired_at, '-infinity')`, type: 'timestamptz' },
    },
    filters: { active: 'r.active = $' },
  },
  filters: {
    schema: { active: queryFlag.optional() },
    fields: async ({ state: { text } }) => [
      {
        name: 'active',
        kind: 'select',
        options: options(['true', 'false'], (value) => (value === 'true' ? text.office.yes : text.office.no)),
      },
    ],
  },
  find: (id) => WebhookSubscription.find(id),
  present: presentSubscription,
  json: WebhookJson,
  nameOf: ({ url }) => new URL(url).host,
  // The routes read their own schemas: an empty secret means something else in JSON than in a form.
  schema: () => {
    throw new Error('not a plain record')
  },
  words: (t) => t.webhookPages,
  columns: [
    { name: 'url', sort: 'url', cell: ({ url }) => url },
    { name: 'events', cell: ({ events }) => events.join(', ') },
    { name: 'active', cell: ({ active }, { t }) => (active ? t.office.yes : t.office.no) },
    { name: 'lastStatus', cell: ({ lastStatus }, { t }) => lastStatus && outcomeOf(t, lastStatus) },
    {
      name: 'lastFiredAt',
      sort: 'fired',
      cell: ({ lastFiredAt }, { t, h }) =>
        lastFiredAt ? h.when(lastFiredAt.toISOString()) : t.webhookPages.never,
    },
  ],
  fields: async ({ state: { text } }) => [
    { name: 'url', kind: 'url', maxlength: 2_000 },
    {
      name: 'events',
      kind: 'checks',
      options: options(eventNames, (event) => text.webhookPages.event[event]),
    },
    {
      name: 'format',
      kind: 'select',
      options: options(bodyFormats, (format) => text.webhookPages.format[format]),
    },
    { name: 'secret', kind: 'secret', maxlength: 500 },
    { name: 'active', kind: 'flag' },
  ],
  values: () => ({ secret: '' }),
  defaults: { active: true, format: 'caretaker' },
  dependents: async ({ id }, { office }) => {
    const { deliveries } = await countsOf({
      deliveries: ['select count(*) from webhook_deliveries where subscription_id = $1', id],
    })
    return [{ count: deliveries, text: office.dependents.deliveries(deliveries), blocks: false }]
  },
  below: { view: 'webhook', load: async ({ secret }) => ({ mask: maskedSecret(secret) }) },
}

/** The outcome of a delivery in words; null means it is still waiting. */
export function outcomeOf(t: Text, status: string | null): string {
  const p = t.webhookPages
  if (status === null) return p.waiting
  return status.startsWith('failed: ') ? p.failed(status.slice('failed: '.length)) : p.answered(status)
}

/** The delivery log's page: outcomes in words, and the test just sent. */
export function logPage(
  ctx: Context,
  { id, url }: WebhookSubscription,
  rows: LoggedDelivery[],
): Record<string, unknown> {
  const { text } = ctx.state
  const tested = parseId(typeof ctx.query.tested === 'string' ? ctx.query.tested : undefined)
  return {
    url,
    back: `/admin/webhooks/${id}`,
    rows: rows.map((row) => ({
      ...presentDelivery(row),
      outcome: outcomeOf(text, row.status),
      arrived: row.status?.startsWith('2') ?? false,
    })),
    tested,
  }
}
