import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { fetchPage, type Listing } from '../platform/db/listing.js'
import type { Context } from '../platform/http/context.js'
import { fromRow, instantText, rowId, shape, wholeNumber } from '../platform/http/json.js'
import { linkMore, listQuery, parseListQuery } from '../platform/http/records/resourcePages.js'
import { both } from '../platform/http/request/paths.js'
import { emptyBody } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { jobNames, jobStates } from '../platform/ops/jobRun.js'
import { failingMessages } from '../platform/outbox/outboxMessage.js'
import { changesBetween } from '../vocabulary/audit.js'
import { own } from '../vocabulary/collections.js'
import { Conflict } from '../vocabulary/conflict.js'
import { deliveryReasons, reasonOf } from '../vocabulary/email/delivery.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { outcomeOf } from '../webhooks/subscription.js'
import { addressMails } from './follow/followerQueries.js'

/**
 * Messages of one kind that wait after failed attempts; `stuck` when none has got through for
 * minutes.
 */
export const WaitingJson = shape('WaitingMessages', {
  kind: z.enum(['mail', 'push']),
  count: wholeNumber,
  oldestAt: instantText,
  since: instantText,
  nextAttemptAt: instantText,
  reason: z.enum(deliveryReasons),
  why: z.string(),
  stuck: z.boolean(),
})

/** A scheduled job with its last success and its last failure. */
const ScheduledJobJson = shape('ScheduledJob', {
  job: z.enum(jobNames),
  lastSuccessAt: instantText.nullable(),
  lastFailureAt: instantText.nullable(),
})

const deliveryKinds = ['mail', 'push', 'webhook'] as const

/** An email, push or webhook given up in the last 30 days; `why` is a code. */
type FailedDelivery = {
  /** For sorting only: emails and webhooks have overlapping ids. */
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

/**
 * Deliveries of a webhook that was deactivated meanwhile, or dropped after a pause, are not listed
 * as failures.
 */
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
const failedDeliveries: Listing = {
  columns: `r.id, r.delivery_id as "deliveryId", r.kind, r.event, r.name as "recipientName", r.email as "recipientEmail",
    r.url, r.subscription_id as "subscriptionId", r.incident_id as "incidentId", r.attempts, r.why,
    r.created_at as "createdAt", r.failed_at as "failedAt"`,
  from: `(${failed}) r`,
  search: `concat_ws(' ', r.name, r.email, r.url, r.event, r.why)`,
  sorts: { failed: { by: 'r.failed_at', type: 'timestamptz' } },
  filters: { kind: 'r.kind = $' },
}

type Given = {
  kind: string
  event: string
  recipientId: number | null
  failedAt: Date | null
  why: string | null
}

/**
 * Makes a given-up email or push due now and resets its attempts. Content, and whether the
 * recipient still may and wants to get it, are decided at sending. Throws NotFound, Conflict.
 */
export async function retryMessage(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const [row] = await c.query<Given>(
      `select kind, event, recipient_id as "recipientId", failed_at as "failedAt", last_error as why
       from outbox where id = $1 for update`,
      [id],
    )
    const { failedAt, why, ...message } = orNotFound(row)
    if (!failedAt) throw new Conflict('not_failed')
    // Without its key: another row may be gathering under it by now.
    await c.query(
      `update outbox set failed_at = null, last_error = null, attempts = 0, next_attempt_at = now(), gather_key = null,
         failing_since = null
       where id = $1`,
      [id],
    )
    c.audit('message.retried', id, changesBetween({ ...message, failed: why }, { ...message, failed: null }))
  })
}

/** A failed delivery: an email or push with its recipient, or a webhook with its address. */
const FailedDeliveryJson = shape('FailedDelivery', {
  id: rowId,
  kind: z.enum(deliveryKinds),
  event: z.string(),
  recipientName: z.string().nullable(),
  recipientEmail: z.string().nullable(),
  url: z.string().nullable(),
  subscriptionId: rowId.nullable(),
  incidentId: rowId.nullable(),
  attempts: wholeNumber,
  why: z.string(),
  createdAt: instantText,
  failedAt: instantText,
})
type PresentedFailure = z.output<typeof FailedDeliveryJson>

function presentFailedDelivery(row: FailedDelivery): PresentedFailure {
  const recipientEmail = row.kind === 'mail' ? row.recipientEmail : null
  return fromRow(FailedDeliveryJson, { ...row, id: row.deliveryId, recipientEmail })
}

const listable = {
  listing: failedDeliveries,
  filters: { schema: { kind: z.enum(deliveryKinds, 'not_acceptable').optional() } },
}

/**
 * Emails, pushes and webhooks that did not arrive, newest first; emails and pushes can be retried.
 */
export const deliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/deliveries'),
    summary: 'Lists emails, app notifications and webhooks that couldn’t be delivered, newest first.',
    permission: 'delivery.read',
    query: listQuery(listable),
    answer: z.array(FailedDeliveryJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const asked = parseListQuery(ctx, query, listable)
      const wanted = { ...asked, sort: asked.sort ?? '-failed' }
      const [{ rows, more }, byAddress, waiting, jobs] = await Promise.all([
        fetchPage<FailedDelivery>(failedDeliveries, wanted),
        addressMails(),
        failingMessages(),
        jobStates(),
      ])
      const data = rows.map(presentFailedDelivery)
      return {
        data,
        view: 'notifications/failedDeliveries',
        extras: {
          wanted,
          kinds: deliveryKinds,
          byAddress,
          waiting: waiting.map((row) => fromRow(WaitingJson, row)),
          jobs: jobs.map((row) => fromRow(ScheduledJobJson, row)),
          next: linkMore(ctx, wanted, more),
          rows: data.map((row) => inWords(ctx, row)),
        },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/deliveries/:id/retry'),
    summary: 'Retries a failed email or app notification.',
    permission: 'delivery.retry',
    throttle: 'writes',
    body: emptyBody,
    answer: shape('Retried', { retried: z.boolean() }),
    handle: async ({ params, actor }) => {
      await retryMessage(actor, params.id)
      return { data: { retried: true }, location: '/admin/deliveries', notice: 'retried' }
    },
  }),

  // What the page shows above its list, for programs.
  route({
    method: 'get',
    paths: '/api/admin/deliveries/waiting',
    summary: 'Emails and app notifications waiting for another attempt, by type, with the reasons.',
    permission: 'delivery.read',
    answer: z.array(WaitingJson),
    handle: async () => ({ data: (await failingMessages()).map((row) => fromRow(WaitingJson, row)) }),
  }),

  route({
    method: 'get',
    paths: '/api/admin/jobs',
    summary: 'The scheduled jobs with the times of their last success and failure.',
    permission: 'delivery.read',
    answer: z.array(ScheduledJobJson),
    handle: async () => ({ data: (await jobStates()).map((row) => fromRow(ScheduledJobJson, row)) }),
  }),
]

function inWords({ state: { text } }: Context, row: PresentedFailure) {
  const what = own<string>(text.deliveryPage.event, row.event) ?? row.event
  return {
    ...row,
    what: row.incidentId === null ? what : text.deliveryPage.about(what, row.incidentId),
    to: row.recipientName ?? row.recipientEmail ?? row.url ?? text.deliveryPage.noOne,
    reason:
      row.kind === 'webhook'
        ? outcomeOf(text, row.why)
        : `${text.deliveryPage.reason[reasonOf(row.why)]} (${row.why})`,
  }
}
