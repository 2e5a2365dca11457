import { query } from '../../database.js'

/** Why nothing leaves: a restored copy, a building that moved elsewhere, or by an operator's word. */
export type PausedWhy = 'restored' | 'moved' | 'by_hand'

/** SQL condition of every claim of something to send: one row is read, in the claim's own statement. */
export const sendingIsOn = '(select sending_paused_at is null from properties where id = 1)'

/** Since when no mail, push or webhook leaves, and why; null while they do. */
export async function sendingPaused(): Promise<{ since: Date; why: PausedWhy } | null> {
  const [row] = await query<{ since: Date; why: PausedWhy }>(
    `select sending_paused_at as since, sending_paused_why as why from properties
     where id = 1 and sending_paused_at is not null`,
  )
  return row ?? null
}

/** How much waits to be sent: mails, pushes, and deliveries to webhook receivers. */
export async function waitingToLeave(): Promise<{ mails: number; pushes: number; webhooks: number }> {
  const [row] = await query<{ mails: number; pushes: number; webhooks: number }>(
    `select count(*) filter (where kind = 'mail')::integer as mails,
       count(*) filter (where kind = 'push')::integer as pushes,
       (select count(*)::integer from webhook_deliveries where claimed_at is null) as webhooks
     from outbox where sent_at is null and failed_at is null`,
  )
  return row!
}
