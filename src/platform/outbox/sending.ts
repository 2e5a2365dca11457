import { query } from '../db/database.js'

/**
 * Why nothing leaves: a restored copy, a building that moved elsewhere, or by an operator's word.
 */
export type PausedWhy = 'restored' | 'moved' | 'by_hand'

/**
 * SQL condition of every claim of something to send: one row is read, in the claim's own statement.
 */
export const sendingIsOn = '(select sending_paused_at is null from properties where id = 1)'

/** Since when no email, push or webhook leaves, and why; null while they do. */
export async function sendingPaused(): Promise<{ since: Date; why: PausedWhy } | null> {
  const [row] = await query<{ since: Date; why: PausedWhy }>(
    `select sending_paused_at as since, sending_paused_why as why from properties
     where id = 1 and sending_paused_at is not null`,
  )
  return row ?? null
}

/** What is still to be sent. */
export type WaitingMessages = { mails: number; pushes: number; webhooks: number; underWay: number }

/**
 * How much waits to be sent: emails, pushes, and deliveries to webhook receivers. `underWay`: what
 * a process has taken up and may send though sending is paused; without messages that are tried
 * again.
 */
export async function waitingToLeave(): Promise<WaitingMessages> {
  const [row] = await query<WaitingMessages>(
    `select m.mails, m.pushes, w.webhooks, m."underWay" + c."underWay" as "underWay"
     from (
       select count(*) filter (where kind = 'mail')::integer as mails,
         count(*) filter (where kind = 'push')::integer as pushes,
         count(*) filter (where attempts > 0 and last_error is null and next_attempt_at > now())::integer as "underWay"
       from outbox where sent_at is null and failed_at is null
     ) m,
     (select count(*)::integer as webhooks from webhook_deliveries where claimed_at is null) w,
     (select count(*)::integer as "underWay" from webhook_deliveries
       where claimed_at is not null and finished_at is null) c`,
  )
  return row!
}
