import type { z } from 'zod'
import {
  countColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import { entity } from '../../platform/http/records/entity.js'

export const deliveryKinds = ['mail', 'push', 'webhook'] as const

/** The code of messages that were handed over and never confirmed, as the SQL below has it. */
export const notConfirmed = 'not confirmed'

/**
 * SQL: emails, pushes and webhooks given up in the last 30 days, and emails and pushes that were
 * not confirmed: `failed_at` is when we stopped waiting for the answer. Those of a webhook that was
 * deactivated meanwhile, or dropped after a pause, are not listed as failures. Messages and webhook
 * deliveries have overlapping ids: a row's is twice its own, and one more for a webhook.
 */
const failedDeliveriesSql = `
  select o.id * 2 as id, o.kind, o.event, coalesce(u.name, k.name) as recipient_name,
    coalesce(u.email, m.address, k.email) as recipient_email, null as url,
    null::integer as subscription_id, o.incident_id, o.attempts,
    case when o.failed_at is null then 'not confirmed' else coalesce(o.last_error, '') end as why,
    o.created_at, coalesce(o.failed_at, o.confirm_by) as failed_at
  from outbox o
  left join users u on u.id = o.recipient_id
  left join email_followers m on m.id = o.email_follower_id
  left join contacts k on k.id = o.contact_id
  where o.failed_at > now() - interval '30 days'
    or o.confirm_by between now() - interval '30 days' and now()
  union all
  select d.id * 2 + 1, 'webhook', d.event, null, null, s.url, s.id, null, 1, d.status,
    d.created_at, d.finished_at
  from webhook_deliveries d
  join webhook_subscriptions s on s.id = d.subscription_id
  where d.status !~ '^2' and d.status not in ('failed: inactive', 'failed: paused')
    and d.finished_at > now() - interval '30 days'`

/**
 * A delivery that failed or was not confirmed: an email or push with its recipient, or a webhook
 * with its address; `why` is a code.
 */
export const failureEntity = entity({
  name: 'failed_delivery',
  json: { office: 'FailedDelivery' },
  from: `(${failedDeliveriesSql}) r`,
  search: `concat_ws(' ', r.recipient_name, r.recipient_email, r.url, r.event, r.why)`,
  filters: { kind: 'r.kind = $' },
  fields: {
    id: { column: { ...idColumn, present: (id: number) => Math.floor(id / 2) } },
    kind: { column: word(deliveryKinds) },
    event: { column: textColumn },
    recipientName: { column: orNull(textColumn) },
    recipientEmail: {
      column: orNull(textColumn),
      sql: `case when r.kind = 'mail' then r.recipient_email end`,
    },
    url: { column: orNull(textColumn) },
    subscriptionId: { column: orNull(idColumn) },
    incidentId: { column: orNull(idColumn) },
    attempts: { column: countColumn },
    why: { column: textColumn },
    createdAt: { column: instantColumn },
    failedAt: {
      column: instantColumn,
      sort: { name: 'failed', by: 'r.failed_at', type: 'timestamptz' },
    },
  },
})
export const { json: FailedDeliveryJson, present, listing } = failureEntity.records
export type PresentedFailure = z.output<typeof FailedDeliveryJson>
