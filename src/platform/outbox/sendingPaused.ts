import { query } from '../db/database.js'

/**
 * Why nothing is sent: this is a restored copy, the building moved elsewhere, or an operator has
 * paused it.
 */
export type PausedWhy = 'restored' | 'moved' | 'by_hand'

/** Since when no email, push or webhook leaves, and why; null while they do. */
export async function sendingPaused(): Promise<{ since: Date; why: PausedWhy } | null> {
  const [row] = await query<{ since: Date; why: PausedWhy }>(
    `select sending_paused_at as since, sending_paused_why as why from properties
     where id = 1 and sending_paused_at is not null`,
  )
  return row ?? null
}
