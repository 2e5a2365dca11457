import { countsOf } from '../platform/db/dependents.js'
import type { Context } from '../platform/http/context.js'
import { resourceOf } from '../platform/http/records/entity.js'
import { options } from '../platform/http/records/pages.js'
import { recordActs } from '../platform/http/records/records.js'
import { queryFlag } from '../platform/http/request/input.js'
import { parseId } from '../vocabulary/limits.js'
import { outcomeOf, subscriptionEntity } from './entity.js'
import { presentDelivery } from './json.js'
import { maskedSecret } from './webhookSecret.js'
import type { LoggedDelivery, WebhookSubscription } from './webhookSubscription.js'
import { deleteSubscription, subscriptionKind } from './webhookSubscriptions.js'

/** The pages of webhook subscriptions: list, form, confirmation (spec §4, decision 4.8). */
export const webhooks = resourceOf(subscriptionEntity, {
  path: 'webhooks',
  permission: 'webhook.manage',
  kind: subscriptionKind,
  acts: { ...recordActs(subscriptionKind), remove: deleteSubscription },
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
  nameOf: ({ url }) => new URL(url).host,
  words: (t) => t.webhookPages,
  values: () => ({ secret: '' }),
  defaults: { active: true, format: 'caretaker' },
  dependents: async ({ id }, { office }) => {
    const { deliveries } = await countsOf({
      deliveries: ['select count(*) from webhook_deliveries where subscription_id = $1', id],
    })
    return [{ count: deliveries, text: office.dependents.deliveries(deliveries), blocks: false }]
  },
  below: { view: 'webhook', load: async ({ secret }) => ({ mask: maskedSecret(secret) }) },
})

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
