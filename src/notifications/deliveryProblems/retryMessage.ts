import { change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { type deliveryKinds, notConfirmed } from './failedDeliveries.js'

type FailedMessage = {
  kind: string
  event: string
  recipientId: number | null
  failedAt: Date | null
  isUnconfirmed: boolean
  why: string | null
}

/**
 * Makes an email or push that was given up or not confirmed due now and resets its attempts.
 * Content, and whether the recipient still may and wants to get it, are decided at sending. Throws
 * NotFound, also when the message is not of this kind, and Conflict, also for a webhook.
 */
export async function retryMessage(
  actor: Actor,
  id: number,
  kind: (typeof deliveryKinds)[number] | null = null,
): Promise<void> {
  if (kind === 'webhook') throw new Conflict('webhook_not_retried')
  await change(actor, async (c) => {
    const [row] = await c.query<FailedMessage>(
      `select kind, event, recipient_id, failed_at,
         coalesce(confirm_by <= now(), false) as is_unconfirmed, last_error as why
       from outbox where id = $1 and ($2::text is null or kind = $2) for update`,
      [id, kind],
    )
    const { failedAt, isUnconfirmed, why, ...message } = orNotFound(row)
    if (!failedAt && !isUnconfirmed) throw new Conflict('not_failed')
    // Without its key: another row may be gathering under it by now.
    await c.query(
      `update outbox set failed_at = null, sent_at = null, confirm_by = null, last_error = null,
         attempts = 0, next_attempt_at = now(), gather_key = null, failing_since = null
       where id = $1`,
      [id],
    )
    c.audit(
      'message.retried',
      id,
      changesBetween({ ...message, failed: failedAt ? why : notConfirmed }, { ...message, failed: null }),
    )
  })
}
