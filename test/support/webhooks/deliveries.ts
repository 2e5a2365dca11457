import { query } from '../../../src/platform/db/database.js'
import { loopback } from '../../../src/platform/net/addressPolicy.js'
import { idle, startOutbox, stopOutbox, wake } from '../../../src/platform/outbox/outbox.js'
import { type WebhookOptions, webhookSender } from '../../../src/webhooks/sending/sendWebhooks.js'
import { scalar } from '../rows.js'

/** Receivers of tests are on this machine. */
export const onThisMachine = { networks: loopback, closedPorts: new Set<number>() }

/** A subscription straight into the table; returns its id. */
export async function subscribe(
  url: string,
  { secret = 'receiver-secret', active = true, format = 'caretaker' } = {},
): Promise<number> {
  return scalar<number>(
    `insert into webhook_subscriptions (url, secret, events, active, format)
     values ($1, $2, '{incident.created}', $3, $4) returning id`,
    [url, secret, active, format],
  )
}

/** No webhook is subscribed to, and none is in the log. */
export async function deleteSubscriptions(): Promise<void> {
  await query('delete from webhook_subscriptions')
}

/**
 * Deliveries straight into the table, one for each body; returns their webhook ids in that order.
 */
export async function deliver(
  subscription: number,
  bodies: readonly string[],
  { age = 0 } = {},
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `insert into webhook_deliveries (subscription_id, event_id, event, body, created_at)
     select $1, gen_random_uuid(), 'incident.created', body, now() - make_interval(secs => $3)
     from unnest($2::text[]) with ordinality as given (body, place) order by place
     returning event_id as id`,
    [subscription, bodies, age],
  )
  return rows.map(({ id }) => id)
}

/** As many bodies as wanted, each its own. */
export const bodies = (count: number) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ event: 'incident.created', n }))

export type DeliveryRow = {
  id: string
  body: string
  status: string | null
  durationMs: number | null
  createdAt: Date
  claimedAt: Date | null
  finishedAt: Date | null
}

/** The deliveries of some subscriptions, oldest first. */
export function deliveryRows(...subscriptions: number[]): Promise<DeliveryRow[]> {
  return query(
    `select event_id as id, body, status, duration_ms, created_at,
       claimed_at, finished_at
     from webhook_deliveries d where subscription_id = any ($1) order by d.id`,
    [subscriptions],
  )
}

/** What a subscription says of its newest delivery. */
export async function lastOf(subscription: number): Promise<{ status: string | null; firedAt: Date | null }> {
  const [row] = await query<{ status: string | null; firedAt: Date | null }>(
    'select last_status as status, last_fired_at as fired_at from webhook_subscriptions where id = $1',
    [subscription],
  )
  return row!
}

/** Begins to send in this process. */
export function startSending(options: WebhookOptions = {}): void {
  startOutbox([webhookSender({ policy: onThisMachine, ...options })], async () => {})
  wake()
}

/** Sends everything that is due, from beginning to end. */
export async function sendAll(options: WebhookOptions = {}): Promise<void> {
  startSending(options)
  await idle()
  await stopOutbox()
}
