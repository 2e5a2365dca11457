import { change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'

type Given = {
  kind: string
  event: string
  recipientId: number | null
  failedAt: Date | null
  why: string | null
}

/**
 * Makes a given-up mail or push due now and resets its attempts. Content, and whether the recipient still may
 * and wants to get it, are decided at sending. Throws NotFound, Conflict.
 */
export async function retryMessage(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const [row] = await c.query<Given>(
      `select kind, event, recipient_id as "recipientId", failed_at as "failedAt", last_error as why
       from outbox where id = $1 for update`,
      [id],
    )
    const { failedAt, why, ...message } = orNotFound(row)
    if (!failedAt) throw new Conflict('not_failed')
    // Without its key: another row may be gathering under it by now.
    await c.query(
      `update outbox set failed_at = null, last_error = null, attempts = 0, next_attempt_at = now(), gather_key = null,
         failing_since = null
       where id = $1`,
      [id],
    )
    c.audit('message.retried', id, changesBetween({ ...message, failed: why }, { ...message, failed: null }))
  })
}
