import {
  type DeliveryReason,
  failingAfter,
  type OutboxMessage,
  reasonOf,
} from '../../vocabulary/email/delivery.js'
import { query } from '../db/database.js'

/**
 * Claims due rows, oldest first, and counts an attempt. The claim is a lease: it expires after
 * `lease` seconds, and the row is due again. Two processes never claim the same row; while sending
 * is paused, none is claimed.
 */
export async function claimOutgoing(
  kind: OutboxMessage['kind'],
  { most, lease }: { most: number; lease: number },
): Promise<OutboxMessage[]> {
  const rows = await query<OutboxMessage>(
    `update outbox set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $3)
     where id in (
       select id from outbox
       where sent_at is null and failed_at is null and next_attempt_at <= now() and kind = $1
         and (select sending_paused_at is null from properties where id = 1)
       order by next_attempt_at, id limit $2
       for update skip locked
     )
     returning id, kind, event, recipient_id, email_follower_id, contact_id, incident_id, payload, created_at,
       attempts, request_id`,
    [kind, most, lease],
  )
  return rows.sort((a, b) => a.id - b.id)
}

/**
 * Sent, or dropped because no one wants it (`note`). Also valid after the lease expired, and for a
 * sent row whose answer is waited for or never came.
 */
export async function finishOutgoing(id: number, note: string | null): Promise<void> {
  await query(
    `update outbox o set sent_at = now(), confirm_by = null, failed_at = null, last_error = $2
     where id = $1 and (sent_at is null or confirm_by is not null)`,
    [id, note],
  )
}

/**
 * Changes claimed rows `o`, but none that is done or of which a later attempt has started. `values`
 * are `$3` and following. Whether any was changed.
 */
async function updateClaimed(
  rows: readonly OutboxMessage[],
  changes: string,
  values: readonly unknown[] = [],
  condition = 'true',
): Promise<boolean> {
  const changed = await query(
    `update outbox o set ${changes}
     from unnest($1::bigint[], $2::integer[]) as r (id, attempts)
     where o.id = r.id and o.attempts = r.attempts and (o.sent_at is null or o.confirm_by is not null)
       and o.failed_at is null and ${condition}
     returning o.id`,
    [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts), ...values],
  )
  return changed.length > 0
}

/** Every claim of something to send reads in its own statement whether sending is on. */
const sendingIsOn = '(select sending_paused_at is null from properties where id = 1)'
const isLeased = 'o.next_attempt_at > now()'
const inSeconds = 'next_attempt_at = now() + make_interval(secs => $3)'
/** Of a row that may have been noted as handed over. */
const unsent = 'sent_at = null, confirm_by = null'

/** Gives a row up, which staff see, unless a later attempt has started after the lease expired. */
export async function failOutgoing(row: OutboxMessage, why: string): Promise<void> {
  await updateClaimed([row], `${unsent}, failed_at = now(), last_error = $3`, [why])
}

/** Makes the row due again in `seconds`, unless a later attempt has started. */
export async function postponeOutgoing(row: OutboxMessage, seconds: number, why: string): Promise<void> {
  const failing = 'last_error = $4, failing_since = coalesce(o.failing_since, now())'
  await updateClaimed([row], `${unsent}, ${inSeconds}, ${failing}`, [seconds, why])
}

/**
 * Starts a claimed row, whose lease then lasts `seconds` from now. False when it may not be begun:
 * sending was paused since, or the lease has run out.
 */
export function beginOutgoing(row: OutboxMessage, seconds: number): Promise<boolean> {
  return updateClaimed([row], inSeconds, [seconds], `${isLeased} and ${sendingIsOn}`)
}

/**
 * Notes that a claimed row is about to be handed over, and that the answer is waited for up to
 * `seconds`. From now on it counts as sent, so that nothing has to be recovered should this process
 * die: no process, of an older release neither, claims it again. False when it must not be handed
 * over: the lease has run out, or sending was paused.
 */
export function noteHandOver(row: OutboxMessage, seconds: number): Promise<boolean> {
  const changes = 'sent_at = now(), last_error = null, confirm_by = now() + make_interval(secs => $3)'
  return updateClaimed([row], changes, [seconds], `${isLeased} and ${sendingIsOn}`)
}

/** The row was handed over and no answer is waited for any more: staff see it as not confirmed. */
export async function leaveUnconfirmed(row: OutboxMessage): Promise<void> {
  const changes = 'sent_at = coalesce(o.sent_at, now()), last_error = null, confirm_by = now()'
  await updateClaimed([row], changes)
}

/** Lengthens the lease of rows that this process has to `seconds` from now. */
export async function renewOutgoing(rows: readonly OutboxMessage[], seconds: number): Promise<void> {
  await updateClaimed(rows, inSeconds, [seconds], isLeased)
}

/**
 * Gives claimed rows back untried: any process may send them at once. Without their keys: other
 * rows may be gathering under them by now.
 */
export async function releaseOutgoing(rows: readonly OutboxMessage[]): Promise<void> {
  await updateClaimed(
    rows,
    `${unsent}, attempts = o.attempts - 1, next_attempt_at = now(), gather_key = null`,
  )
}

/**
 * Keeps the row for `seconds`, or drops it, because of a limit: it counts as no attempt. It goes on
 * gathering, unless another row has started to.
 */
export async function holdBackOutgoing(
  row: OutboxMessage,
  seconds: number | 'dropped',
  why: string,
): Promise<void> {
  await updateClaimed(
    [row],
    `held_back_at = coalesce(o.held_back_at, now()), attempts = o.attempts - 1, last_error = $4,
       sent_at = case when $3::integer is null then now() end,
       next_attempt_at = now() + make_interval(secs => coalesce($3::integer, 0)),
       gather_key = case when not exists (
         select from outbox n where n.gather_key = o.gather_key and n.attempts = 0 and n.sent_at is null
           and n.failed_at is null
       ) then o.gather_key end`,
    [seconds === 'dropped' ? null : seconds, why],
  )
}

/**
 * How many of these rows were or will be sent, and how many were sent. Dropped rows are in neither
 * number.
 */
export async function countEmails(
  ids: readonly number[],
): Promise<{ recipients: number; delivered: number }> {
  const [row] = await query<{ recipients: number; delivered: number }>(
    `select count(*) filter (where sent_at is null or last_error is null)::integer as recipients,
       count(*) filter (where sent_at is not null and last_error is null)::integer as delivered
     from outbox where id = any ($1)`,
    [ids],
  )
  return row!
}

/** Messages of one kind that wait after failed attempts. Times are of the database's clock. */
export type Failing = {
  kind: OutboxMessage['kind']
  count: number
  /** When the oldest of them was written, and since when the first of them fails. */
  oldestAt: Date
  since: Date
  /** The soonest next attempt. */
  nextAttemptAt: Date
  /** The latest code of the outbox. */
  why: string
  reason: DeliveryReason
  /** Whether it fails for minutes and none was sent since: not one mailbox, but all. */
  stuck: boolean
}

/** What waits after failed attempts, by kind. The cost follows what waits, not history. */
export async function failingMessages(): Promise<Failing[]> {
  const rows = await query<Omit<Failing, 'reason'>>(failingSql, [failingAfter])
  return rows.map((row) => ({ ...row, reason: reasonOf(row.why) }))
}

const failingSql = `
  with waiting as materialized (
    select kind, created_at, failing_since, next_attempt_at, last_error from outbox
    where failing_since is not null and sent_at is null and failed_at is null
  ), sent as (
    select k.kind, (
      select max(o.sent_at) from outbox o
      where o.kind = k.kind and o.sent_at is not null and o.last_error is null and o.confirm_by is null
    ) as at from (select distinct kind from waiting) k
  )
  select w.kind, count(*)::integer as count, min(w.created_at) as oldest_at, min(w.failing_since) as since,
    min(w.next_attempt_at) as next_attempt_at,
    coalesce((array_agg(w.last_error order by w.failing_since desc))[1], '') as why,
    coalesce(min(w.failing_since) filter (where w.failing_since > coalesce(s.at, '-infinity'))
      < now() - make_interval(secs => $1), false) as stuck
  from waiting w join sent s on s.kind = w.kind
  group by w.kind, s.at order by w.kind`

/**
 * What is still to be sent of one kind, and the seconds since the oldest that should have gone was
 * written; of events, what is still to be handed on.
 */
type Depth = { kind: 'mail' | 'push' | 'webhook' | 'event'; waiting: number; oldestSeconds: number }

/**
 * How much waits in the outbox, with a row for each kind even when nothing waits. A message that
 * still gathers has no age yet.
 */
export async function outboxDepth(): Promise<Depth[]> {
  return query<Depth>(depthSql)
}

const depthSql = `
  select k.kind, o.waiting, o.oldest_seconds from unnest(array['mail', 'push']) k (kind)
  cross join lateral (
    select count(*)::integer as waiting,
      coalesce(
        epoch_ms(now())
          - epoch_ms(min(o.created_at) filter (where o.attempts > 0 or o.next_attempt_at <= now())), 0
      ) / 1000 as oldest_seconds
    from outbox o where o.kind = k.kind and o.sent_at is null and o.failed_at is null
  ) o
  union all
  select 'webhook', count(*)::integer, coalesce(epoch_ms(now()) - epoch_ms(min(d.created_at)), 0) / 1000
  from webhook_deliveries d where d.claimed_at is null
  union all
  select 'event', count(*)::integer, coalesce(epoch_ms(now()) - epoch_ms(min(e.created_at)), 0) / 1000
  from events e`
