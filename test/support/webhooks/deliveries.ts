import { query } from '../../../src/platform/db/database.js'

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

/** Deliveries that ended with this status so many minutes ago; their bodies count from 1. */
export async function finishedDeliveries(
  subscription: number,
  status: string,
  { count = 1, minutesAgo = 0 } = {},
): Promise<void> {
  await query(
    `insert into webhook_deliveries
       (subscription_id, event_id, event, body, claimed_at, finished_at, status, duration_ms)
     select $1, gen_random_uuid(), 'incident.created', json_build_object('n', n), at, at, $2, 1234
     from generate_series(1, $3::integer) n, (select now() - make_interval(mins => $4) as at) moment`,
    [subscription, status, count, minutesAgo],
  )
}

/** So many seconds ago a process claimed every delivery that has no outcome, and then died. */
export async function claimSecondsAgo(seconds: number, { onlyClaimed = false } = {}): Promise<void> {
  await query(
    `update webhook_deliveries set claimed_at = now() - make_interval(secs => $1)
     where finished_at is null and (not $2 or claimed_at is not null)`,
    [seconds, onlyClaimed],
  )
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

/** How the deliveries of some subscriptions ended, oldest first; null for those under way. */
export const statusesOf = async (...subscriptions: number[]): Promise<(string | null)[]> =>
  (await deliveryRows(...subscriptions)).map(({ status }) => status)
