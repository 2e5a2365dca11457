import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { countColumn, idColumn, instantColumn, orNull, textColumn, word } from '../platform/db/columnKinds.js'
import { jobStates } from '../platform/db/jobRun.js'
import { fetchPage } from '../platform/db/listing.js'
import type { Context } from '../platform/http/context.js'
import { fromRow, instantText, shape, wholeNumber } from '../platform/http/json.js'
import { both } from '../platform/http/paths.js'
import { entity } from '../platform/http/records/entity.js'
import type { RowOf } from '../platform/http/records/entityTypes.js'
import { linkMore, listQuery, parseListQuery } from '../platform/http/records/resourcePages.js'
import { route } from '../platform/http/route/route.js'
import { failingMessages } from '../platform/outbox/failingMessages.js'
import { changesBetween } from '../vocabulary/audit.js'
import { own } from '../vocabulary/collections.js'
import { Conflict } from '../vocabulary/conflict.js'
import { deliveryReasons, reasonOf } from '../vocabulary/email/delivery.js'
import { jobNames } from '../vocabulary/jobs.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import { outcomeText } from '../webhooks/outcomeText.js'
import { addressEmails } from './follow/followerQueries.js'

/**
 * Messages of one kind that wait after failed attempts. `stuck`: none has got through for minutes.
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

/** The code of messages that were handed over and never confirmed, as the SQL below has it. */
const notConfirmed = 'not confirmed'

/**
 * SQL: emails, pushes and webhooks given up in the last 30 days, and emails and pushes that were
 * not confirmed: `failed_at` is when we stopped waiting for the answer. Those of a webhook that was
 * deactivated meanwhile, or dropped after a pause, are not listed as failures. Messages and webhook
 * deliveries have overlapping ids: a row's is twice its own, and one more for a webhook.
 */
const failed = `
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
const failureEntity = entity({
  name: 'failed_delivery',
  json: { office: 'FailedDelivery' },
  from: `(${failed}) r`,
  search: `concat_ws(' ', r.recipient_name, r.recipient_email, r.url, r.event, r.why)`,
  filters: { kind: 'r.kind = $' },
  fields: {
    id: { kind: { ...idColumn, present: (id: number) => Math.floor(id / 2) } },
    kind: { kind: word(deliveryKinds) },
    event: { kind: textColumn },
    recipientName: { kind: orNull(textColumn) },
    recipientEmail: {
      kind: orNull(textColumn),
      sql: `case when r.kind = 'mail' then r.recipient_email end`,
    },
    url: { kind: orNull(textColumn) },
    subscriptionId: { kind: orNull(idColumn) },
    incidentId: { kind: orNull(idColumn) },
    attempts: { kind: countColumn },
    why: { kind: textColumn },
    createdAt: { kind: instantColumn },
    failedAt: {
      kind: instantColumn,
      sort: { name: 'failed', by: 'r.failed_at', type: 'timestamptz' },
    },
  },
})
const { json: FailedDeliveryJson, present, listing } = failureEntity.records
type PresentedFailure = z.output<typeof FailedDeliveryJson>

type Given = {
  kind: string
  event: string
  recipientId: number | null
  failedAt: Date | null
  isUnconfirmed: boolean
  why: string | null
}

/**
 * Makes an email or push that was given up or not confirmed due now and resets its attempts.
 * Content, and whether the recipient still may and wants to get it, are decided at sending. Throws
 * NotFound, also when the message is not of this kind, and Conflict, also for a webhook.
 */
export async function retryMessage(
  actor: Actor,
  id: number,
  kind?: (typeof deliveryKinds)[number],
): Promise<void> {
  if (kind === 'webhook') throw new Conflict('webhook_not_retried')
  await change(actor, async (c) => {
    const [row] = await c.query<Given>(
      `select kind, event, recipient_id, failed_at,
         coalesce(confirm_by <= now(), false) as is_unconfirmed, last_error as why
       from outbox where id = $1 and ($2::text is null or kind = $2) for update`,
      [id, kind ?? null],
    )
    const { failedAt, isUnconfirmed, why, ...message } = orNotFound(row)
    if (!failedAt && !isUnconfirmed) throw new Conflict('not_failed')
    // Without its key: another row may be gathering under it by now.
    await c.query(
      `update outbox set failed_at = null, sent_at = null, confirm_by = null, last_error = null,
         attempts = 0, next_attempt_at = now(), gather_key = null, failing_since = null
       where id = $1`,
      [id],
    )
    c.audit(
      'message.retried',
      id,
      changesBetween({ ...message, failed: failedAt ? why : notConfirmed }, { ...message, failed: null }),
    )
  })
}

/** `kind`: of the delivery that is meant, because a webhook's id may be a message's as well. */
const RetryRequest = z
  .object({ kind: z.enum(deliveryKinds, 'not_acceptable').optional() })
  .meta({ id: 'RetryRequest' })

const listable = {
  listing,
  order: '-failed',
  jsonOrder: '-failed',
  filters: { schema: { kind: z.enum(deliveryKinds, 'not_acceptable').optional() } },
}

/**
 * Emails, pushes and webhooks that did not arrive or were not confirmed, newest first; emails and
 * pushes can be retried.
 */
export const deliveryRoutes = [
  route({
    method: 'get',
    paths: both('/admin/deliveries'),
    group: 'webhooks',
    summary:
      'Lists emails, app notifications and webhooks that couldn’t be delivered or weren’t confirmed, newest first.',
    permission: 'delivery.read',
    query: listQuery(listable),
    answer: z.array(FailedDeliveryJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const wanted = parseListQuery(ctx, query, listable)
      const [{ rows, more }, byAddress, waiting, jobs] = await Promise.all([
        fetchPage<RowOf<typeof failureEntity>>(listing, wanted),
        addressEmails(),
        failingMessages(),
        jobStates(jobNames),
      ])
      const data = rows.map(present)
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
    group: 'webhooks',
    summary:
      'Sends an email or app notification again that failed or wasn’t confirmed. Webhooks have ids of their own and aren’t resent: send the kind to be sure.',
    permission: 'delivery.retry',
    throttle: 'writes',
    body: RetryRequest,
    answer: shape('Retried', { retried: z.boolean() }),
    handle: async ({ params, body: { kind }, actor }) => {
      await retryMessage(actor, params.id, kind)
      return { data: { retried: true }, location: '/admin/deliveries', notice: 'retried' }
    },
  }),

  // What the page shows above its list, for programs.
  route({
    method: 'get',
    paths: '/api/admin/deliveries/waiting',
    group: 'webhooks',
    summary: 'Emails and app notifications waiting for another attempt, by type, with the reasons.',
    permission: 'delivery.read',
    answer: z.array(WaitingJson),
    handle: async () => ({ data: (await failingMessages()).map((row) => fromRow(WaitingJson, row)) }),
  }),

  route({
    method: 'get',
    paths: '/api/admin/jobs',
    group: 'operations',
    summary: 'The scheduled jobs with the times of their last success and failure.',
    permission: 'delivery.read',
    answer: z.array(ScheduledJobJson),
    handle: async () => ({ data: (await jobStates(jobNames)).map((row) => fromRow(ScheduledJobJson, row)) }),
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
        ? outcomeText(text, row.why)
        : row.why === notConfirmed
          ? text.deliveryPage.reason.not_confirmed
          : `${text.deliveryPage.reason[reasonOf(row.why)]} (${row.why})`,
  }
}
