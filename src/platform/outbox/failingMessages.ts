import {
  type DeliveryReason,
  failingAfter,
  type OutboxMessage,
  reasonOf,
} from '../../vocabulary/email/delivery.js'
import { query } from '../db/database.js'

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
