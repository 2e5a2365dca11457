import { change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { idle } from '../../platform/outbox/outbox.js'
import { config } from '../../platform/process/config.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { compileDigest } from './compileDigest.js'

/** Milliseconds a run waits to count delivered emails; the outbox sends the others later. */
const patience = 10_000

/**
 * `recipients`: emails written; `delivered`: emails sent so far; `outbox`: the folder used without
 * an email server.
 */
type DigestResult = { recipients: number; delivered: number; outbox: string | null }

/**
 * Sends the weekly digest to staff (spec §4 rule 6, decision 4.7). With a `period`, once to each
 * person, also when a run is made again after its process was killed; without one, as a manual run,
 * always.
 */
export async function sendDigest(actor: Actor, period: string | null = null): Promise<DigestResult> {
  const digest = await compileDigest()
  const emailIds = await change(actor, async (c) => {
    c.audit('digest.sent', null, { period: { before: null, after: `${digest.from}/${digest.to}` } })
    const staff = await c.query<{ id: number }>(
      `select id from users
       where active and is_staff(role) and wants_notification(notifications, 'digest.mail')`,
    )
    const once = period && `digest:${period}`
    const users = staff.map(({ id }) => id)
    const written = await enqueueEmail(c, 'digest', { users }, { payload: digest, once })
    if (written.length === 0 && period !== null) c.noop()
    return written
  })
  await Promise.race([idle(), new Promise((resolve) => setTimeout(resolve, patience).unref())])
  return { ...(await countEmails(emailIds)), outbox: config.email.folder }
}

/**
 * How many of these messages are for someone who wants them, also those that were given up, and how
 * many were sent. What was dropped is in neither number.
 */
async function countEmails(ids: readonly number[]): Promise<{ recipients: number; delivered: number }> {
  const [row] = await query<{ recipients: number; delivered: number }>(
    `select count(*) filter (where sent_at is null or last_error is null)::integer as recipients,
       count(*) filter (where sent_at is not null and last_error is null)::integer as delivered
     from outbox where id = any ($1)`,
    [ids],
  )
  return row!
}
