/** A mail or push that a change left to be sent: a row of the outbox, claimed for one attempt. */
export type OutboxMessage = {
  id: number
  kind: 'mail' | 'push'
  event: string
  recipientId: number | null
  incidentId: number | null
  payload: Record<string, unknown>
  createdAt: Date
  /** This one included. */
  attempts: number
}

/**
 * How an attempt ended. `dropped`: there was nobody left to tell, which is nobody's fault. `failed`: no further attempt
 * would help, and staff should know. `retry`: it may work later; `after` is when the other side asked for it, in
 * seconds. `why` is a short code of ours, never text from outside.
 */
export type DeliveryOutcome =
  | { as: 'sent' }
  | { as: 'dropped'; why: string }
  | { as: 'failed'; why: string }
  | { as: 'retry'; why: string; after?: number | undefined }

/** Sends one of them. Throwing counts as `retry`. */
export type Deliver = (message: OutboxMessage) => Promise<DeliveryOutcome>

/** Seconds between attempts: a mail server may be away over night. */
const waits = [60, 300, 1_800, 7_200, 28_800]

/** Attempts a message has: the first, and one after each wait. */
export const maxAttempts = waits.length + 1

/** A receiver may ask for more patience than we have, up to an hour. */
const longestAsked = 3_600

/** Seconds until the next attempt after so many; `asked` can only lengthen it. Null: give up. */
export function nextAttempt(attempts: number, asked = 0): number | null {
  const wait = waits[attempts - 1]
  return wait === undefined ? null : Math.max(wait, Math.min(asked, longestAsked))
}
