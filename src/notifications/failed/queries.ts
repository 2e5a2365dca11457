import type { Listing } from '../../platform/db/listing.js'

export const deliveryKinds = ['mail', 'push', 'webhook'] as const

/** A mail, push or webhook given up in the last 30 days; `why` is a code. */
export type FailedDelivery = {
  /** For sorting only: mails and webhooks have overlapping ids. */
  id: number
  deliveryId: number
  kind: (typeof deliveryKinds)[number]
  event: string
  recipientName: string | null
  recipientEmail: string | null
  url: string | null
  subscriptionId: number | null
  incidentId: number | null
  attempts: number
  why: string
  createdAt: Date
  failedAt: Date
}

/** Deliveries of a webhook that was deactivated meanwhile, or dropped after a pause, are not listed as failures. */
const failed = `
  select o.id * 2 as id, o.id as delivery_id, o.kind, o.event, coalesce(u.name, k.name) as name, coalesce(u.email, m.address, k.email) as email, null as url,
    null::integer as subscription_id, o.incident_id, o.attempts, coalesce(o.last_error, '') as why, o.created_at, o.failed_at
  from outbox o left join users u on u.id = o.recipient_id left join mail_followers m on m.id = o.mail_follower_id
    left join contacts k on k.id = o.contact_id
  where o.failed_at > now() - interval '30 days'
  union all
  select d.id * 2 + 1, d.id, 'webhook', d.event, null, null, s.url, s.id, null, 1, d.status, d.created_at, d.finished_at
  from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
  where d.status !~ '^2' and d.status <> 'failed: inactive' and d.status <> 'failed: paused' and d.finished_at > now() - interval '30 days'`

/** The office's list of failed deliveries, latest first. */
export const failedDeliveries: Listing = {
  columns: `r.id, r.delivery_id as "deliveryId", r.kind, r.event, r.name as "recipientName", r.email as "recipientEmail",
    r.url, r.subscription_id as "subscriptionId", r.incident_id as "incidentId", r.attempts, r.why,
    r.created_at as "createdAt", r.failed_at as "failedAt"`,
  from: `(${failed}) r`,
  search: `concat_ws(' ', r.name, r.email, r.url, r.event, r.why)`,
  sorts: { failed: { by: 'r.failed_at', type: 'timestamptz' } },
  filters: { kind: 'r.kind = $' },
}
