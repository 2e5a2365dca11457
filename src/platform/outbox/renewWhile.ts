import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { renewMessages } from './outboxQueries.js'

/**
 * Runs `work` and meanwhile renews the lease of these messages, of `lease` seconds, at each third
 * of it. Those that `work` takes out of the set are not renewed any more.
 */
export async function renewWhile<T>(
  messages: ReadonlySet<OutboxMessage>,
  lease: number,
  work: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(
    // While the database is away no other process can take them, and afterwards they are due.
    () => void renewMessages([...messages], lease).catch(() => {}),
    (lease * 1_000) / 3,
  )
  return work().finally(() => clearInterval(renewing))
}
