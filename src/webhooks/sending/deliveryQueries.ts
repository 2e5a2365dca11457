import { query } from '../../platform/db/database.js'
import type { BodyFormat } from '../../vocabulary/events.js'
import type { ClosingReason } from '../../vocabulary/lifecycle.js'
import { deliveryFailures } from '../../vocabulary/webhookStatus.js'

// Deliveries are made by notifications/fanOut.ts, in the statement that takes the events; their
// bodies by the database's function webhook_body.

/**
 * A delivery claimed by this process, to send once, with the subscription's current address and
 * secret.
 */
export type ClaimedDelivery = {
  id: number
  subscriptionId: number
  eventId: string
  event: string
  requestId: string | null
  body: string
  claimedAt: Date
  url: string
  secret: string
  format: BodyFormat
  /** The building's language. */
  locale: string
  /**
   * For chats: why the entry that told of the incident's status closed it, which our own form does
   * not say.
   */
  closingReason: ClosingReason | null
}

/**
 * How a delivery ended. `sentBody`: what was signed and sent in place of our own form; null where
 * that itself was sent.
 */
export type WebhookOutcome = {
  id: number
  subscriptionId: number
  status: string
  durationMs: number
  sentBody: string | null
}

/** The ids of subscriptions with unclaimed deliveries; none while sending is paused. */
export async function waitingSubscriptions(): Promise<number[]> {
  const rows = await query<{ id: number }>(`
    select s.id from webhook_subscriptions s
    where exists (select from webhook_deliveries d where d.subscription_id = s.id and d.claimed_at is null)
      and sending_is_on()`)
  return rows.map(({ id }) => id)
}

/**
 * Claims up to `wanted` deliveries per subscription, oldest first, before sending (decision 4.8): a
 * process that dies loses them, none is sent twice. Of one incident or asset only one is under way,
 * so that its events arrive in order. Those of inactive subscriptions end as `failed:
 * inactive` (spec §6 rule 1).
 */
export async function claimDeliveries(
  wanted: ReadonlyMap<number, number>,
): Promise<{ claimed: ClaimedDelivery[]; inactive: number[] }> {
  const rows = await query<ClaimedDelivery & { active: boolean }>(claimSql, [
    [...wanted.keys()],
    [...wanted.values()],
    deliveryFailures.inactive,
  ])
  return {
    claimed: rows.filter(({ active }) => active),
    inactive: rows.filter(({ active }) => !active).map(({ subscriptionId }) => subscriptionId),
  }
}

/**
 * The next are looked for among 64 unfinished deliveries of a subscription. Claims in one statement
 * differ by a microsecond, so that the newest per subscription is defined.
 */
const claimSql = `
  with picked as materialized (
    select d.id, now() + row_number() over (order by d.id) * interval '1 microsecond' as at
    from unnest($1::integer[], $2::integer[]) as wanted (subscription_id, room)
    cross join lateral (
      select id from webhook_deliveries
      where claimed_at is null and sending_is_on() and id in (
        select id from (
          -- The place of each among those of the same incident or asset, claimed ones included.
          select id, claimed_at,
            row_number() over (
              partition by coalesce(
                body::json #>> '{incident,id}',
                'asset ' || (body::json #>> '{asset,id}'),
                'delivery ' || id
              )
              order by id
            ) as place
          from (
            select id, claimed_at, body from webhook_deliveries
            where subscription_id = wanted.subscription_id and finished_at is null
            order by id limit 64
          ) unfinished
        ) numbered
        where place = 1 and claimed_at is null
        order by id limit wanted.room
      )
      order by id for update skip locked
    ) d
  )
  update webhook_deliveries d
  set claimed_at = p.at, finished_at = case when not s.active then p.at end,
    status = case when not s.active then $3 end
  from picked p, webhook_subscriptions s
  where d.id = p.id and s.id = d.subscription_id
  returning d.id, d.subscription_id, d.event_id, d.event, d.request_id, d.body, d.claimed_at,
    s.url, s.secret, s.active, s.format, (select locale from properties) as locale,
    case when s.format <> 'caretaker' then (
      select u.closing_reason from incident_updates u
      where u.incident_id = (d.body::json #>> '{incident,id}')::integer
        and u.new_status = d.body::json #>> '{incident,status}'
      order by u.id desc limit 1
    ) end as closing_reason`

/**
 * SQL: stores `outcomes`, a query for id, status, duration_ms and sent_body, on the deliveries that
 * have none yet and on their subscriptions. The body of a delivery changes with its outcome and not
 * before: claims read in it which incident or asset is under way. Only the newest delivery's
 * outcome is shown on a subscription: a slow, older one never overwrites it (spec §6 rule 5).
 * Subscriptions are locked in the order of their ids, so that two processes that do this at once do
 * not wait for each other.
 */
const storeOutcomes = (outcomes: string) => `
  with outcomes as materialized (${outcomes}
  ), ended as (
    update webhook_deliveries d
    set finished_at = now(), status = o.status, duration_ms = o.duration_ms,
      body = coalesce(o.sent_body, d.body)
    from outcomes o
    where d.id = o.id and d.finished_at is null
    returning d.subscription_id, d.claimed_at, d.status
  ), newest as materialized (
    select distinct on (subscription_id) subscription_id, claimed_at, status from ended
    order by subscription_id, claimed_at desc
  ), locked as materialized (
    select s.id from webhook_subscriptions s where s.id in (select subscription_id from newest)
    order by s.id for no key update
  )
  update webhook_subscriptions s set last_status = n.status, last_fired_at = n.claimed_at
  from locked l, newest n
  where s.id = l.id and n.subscription_id = l.id
    and (s.last_fired_at is null or s.last_fired_at < n.claimed_at)`

const finishSql = storeOutcomes(`
    select * from unnest($1::bigint[], $2::text[], $3::integer[], $4::text[])
      as g (id, status, duration_ms, sent_body)`)

const finishInterruptedSql = storeOutcomes(`
    select id, $2::text as status, null::integer as duration_ms, null as sent_body
    from webhook_deliveries
    where claimed_at < now() - make_interval(secs => $1) and finished_at is null
    order by id limit 10000 for update skip locked`)

/** Stores outcomes on the deliveries and their subscriptions. */
export async function finishDeliveries(outcomes: readonly WebhookOutcome[]): Promise<void> {
  await query(finishSql, [
    outcomes.map(({ id }) => id),
    outcomes.map(({ status }) => status),
    outcomes.map(({ durationMs }) => durationMs),
    outcomes.map(({ sentBody }) => sentBody),
  ])
}

/**
 * Fails deliveries claimed more than `seconds` ago by a process that died: they may have been sent,
 * so never again.
 */
export async function finishInterrupted(seconds: number): Promise<void> {
  await query(finishInterruptedSql, [seconds, deliveryFailures.interrupted])
}

/**
 * Fails the oldest waiting deliveries beyond `most` per subscription after `seconds`: a receiver
 * away for a day does not get all of them, and a short burst loses nothing.
 */
export async function finishBacklog(most: number, seconds: number): Promise<void> {
  await query(
    `with excess as materialized (
       select d.id from webhook_subscriptions s
       cross join lateral (
         select id from webhook_deliveries where subscription_id = s.id and claimed_at is null
         order by id desc offset $1 limit 1
       ) first_too_many
       cross join lateral (
         select id from webhook_deliveries
         where subscription_id = s.id and claimed_at is null and id <= first_too_many.id
           and created_at < now() - make_interval(secs => $2)
         order by id limit 10000 for update skip locked
       ) d
     )
     update webhook_deliveries d set claimed_at = now(), finished_at = now(), status = $3
     from excess where d.id = excess.id`,
    [most, seconds, deliveryFailures.backlog],
  )
}
