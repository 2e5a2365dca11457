import { query } from '../platform/db/database.js'

/** What is still to be sent of one kind; of events, what is still to be handed on. */
type WaitingDeliveries = {
  kind: 'mail' | 'push' | 'webhook' | 'event'
  waiting: number
  /**
   * What a process has taken up and may send though sending is paused; without messages that are
   * tried again. Deliveries to webhook receivers that are under way do not count as waiting.
   */
  underWay: number
  /**
   * Seconds since the oldest that should have gone was written. A message that still gathers has no
   * age yet.
   */
  oldestSeconds: number
}

/** What waits, with a row for each kind even when nothing waits. */
export async function waitingDeliveries(): Promise<WaitingDeliveries[]> {
  return query<WaitingDeliveries>(`
    select k.kind, o.waiting, o.under_way, o.oldest_seconds from unnest(array['mail', 'push']) k (kind)
    cross join lateral (
      select count(*)::integer as waiting,
        count(*) filter (
          where o.attempts > 0 and o.last_error is null and o.next_attempt_at > now()
        )::integer as under_way,
        coalesce(
          epoch_ms(now())
            - epoch_ms(min(o.created_at) filter (where o.attempts > 0 or o.next_attempt_at <= now())), 0
        ) / 1000 as oldest_seconds
      from outbox o where o.kind = k.kind and o.sent_at is null and o.failed_at is null
    ) o
    union all
    select 'webhook', count(*)::integer,
      (select count(*)::integer from webhook_deliveries c where c.claimed_at is not null and c.finished_at is null),
      coalesce(epoch_ms(now()) - epoch_ms(min(d.created_at)), 0) / 1000
    from webhook_deliveries d where d.claimed_at is null
    union all
    select 'event', count(*)::integer, 0, coalesce(epoch_ms(now()) - epoch_ms(min(e.created_at)), 0) / 1000
    from events e`)
}

/** What is still to be sent, for the operator. */
type WaitingToLeave = { emails: number; pushes: number; webhooks: number; underWay: number }

/** How much waits to be sent, by what an operator calls it, and how much is under way of all. */
export async function waitingToLeave(): Promise<WaitingToLeave> {
  const deliveries = await waitingDeliveries()
  const waitingOf = (kind: WaitingDeliveries['kind']) =>
    deliveries.find((each) => each.kind === kind)?.waiting ?? 0
  return {
    emails: waitingOf('mail'),
    pushes: waitingOf('push'),
    webhooks: waitingOf('webhook'),
    underWay: deliveries.reduce((sum, { underWay }) => sum + underWay, 0),
  }
}
