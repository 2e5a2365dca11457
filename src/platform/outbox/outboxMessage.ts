import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { query } from '../db/database.js'
import { sendingIsOn } from './sending.js'

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
       where sent_at is null and failed_at is null and next_attempt_at <= now() and kind = $1 and ${sendingIsOn}
       order by next_attempt_at, id limit $2
       for update skip locked
     )
     returning id, kind, event, recipient_id as "recipientId",
       mail_follower_id as "mailFollowerId", contact_id as "contactId", incident_id as "incidentId", payload, created_at as "createdAt",
       attempts, request_id as "requestId"`,
    [kind, most, lease],
  )
  return rows.sort((a, b) => a.id - b.id)
}

/** Sent, or dropped because nobody wants it (`note`). Also valid after the lease expired. */
export async function finishOutgoing(id: number, note: string | null): Promise<void> {
  await query(
    'update outbox set sent_at = now(), failed_at = null, last_error = $2 where id = $1 and sent_at is null',
    [id, note],
  )
}

/** Gives a row up, which staff see, unless a later attempt has begun after the lease expired. */
export async function failOutgoing({ id, attempts }: OutboxMessage, why: string): Promise<void> {
  await query(
    `update outbox set failed_at = now(), last_error = $3
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null`,
    [id, attempts, why],
  )
}

/** Makes the row due again in `seconds`, unless a later attempt has begun. */
export async function postponeOutgoing(
  { id, attempts }: OutboxMessage,
  seconds: number,
  why: string,
): Promise<void> {
  await query(
    `update outbox set next_attempt_at = now() + make_interval(secs => $3), last_error = $4,
       failing_since = coalesce(failing_since, now())
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null`,
    [id, attempts, seconds, why],
  )
}

/**
 * Begins a claimed row, whose lease then lasts `seconds` from now. False when it may not be begun:
 * sending was paused since, or the lease has run out.
 */
export async function beginOutgoing({ id, attempts }: OutboxMessage, seconds: number): Promise<boolean> {
  const rows = await query(
    `update outbox set next_attempt_at = now() + make_interval(secs => $3)
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null and next_attempt_at > now()
       and ${sendingIsOn}
     returning id`,
    [id, attempts, seconds],
  )
  return rows.length > 0
}

/** Lengthens the lease of rows that wait for their turn in this process to `seconds` from now. */
export async function renewOutgoing(rows: readonly OutboxMessage[], seconds: number): Promise<void> {
  await query(
    `update outbox o set next_attempt_at = now() + make_interval(secs => $3)
     from unnest($1::bigint[], $2::integer[]) as r (id, attempts)
     where o.id = r.id and o.attempts = r.attempts and o.sent_at is null and o.failed_at is null
       and o.next_attempt_at > now()`,
    [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts), seconds],
  )
}

/**
 * Gives claimed rows back untried: any process may send them at once. Without their keys: other
 * rows may be gathering under them by now.
 */
export async function releaseOutgoing(rows: readonly OutboxMessage[]): Promise<void> {
  await query(
    `update outbox o set attempts = o.attempts - 1, next_attempt_at = now(), gather_key = null
     from unnest($1::bigint[], $2::integer[]) as r (id, attempts)
     where o.id = r.id and o.attempts = r.attempts and o.sent_at is null and o.failed_at is null`,
    [rows.map(({ id }) => id), rows.map(({ attempts }) => attempts)],
  )
}

/**
 * Keeps the row for `seconds`, or drops it, because of a limit: it counts as no attempt. It goes on
 * gathering, unless another row has begun to.
 */
export async function holdBackOutgoing(
  { id, attempts }: OutboxMessage,
  seconds: number | 'dropped',
  why: string,
): Promise<void> {
  await query(
    `update outbox o set held_back_at = coalesce(held_back_at, now()), attempts = attempts - 1, last_error = $4,
       sent_at = case when $3::integer is null then now() end,
       next_attempt_at = now() + make_interval(secs => coalesce($3::integer, 0)),
       gather_key = case when not exists (
         select from outbox n where n.gather_key = o.gather_key and n.attempts = 0 and n.sent_at is null
           and n.failed_at is null
       ) then gather_key end
     where id = $1 and attempts = $2 and sent_at is null and failed_at is null`,
    [id, attempts, seconds === 'dropped' ? null : seconds, why],
  )
}

/**
 * How many of these rows were or will be sent, and how many were; dropped rows count in neither.
 */
export async function countMails(ids: readonly number[]): Promise<{ recipients: number; delivered: number }> {
  const [row] = await query<{ recipients: number; delivered: number }>(
    `select count(*) filter (where sent_at is null or last_error is null)::integer as recipients,
       count(*) filter (where sent_at is not null and last_error is null)::integer as delivered
     from outbox where id = any ($1)`,
    [ids],
  )
  return row!
}
