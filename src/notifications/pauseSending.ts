import { type Change, change } from '../platform/db/change.js'
import type { PausedWhy } from '../platform/outbox/sendingPaused.js'
import { changesBetween } from '../vocabulary/audit.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { dropWaitingDeliveries } from '../webhooks/dropWaitingDeliveries.js'
import { fanOutEvents } from './fanOut.js'

const propertyId = 1

/** Hours; news older than that would mislead. */
const freshHours = 24

/**
 * Lets no email, push or webhook leave from now on; they wait. A building that is paused keeps its
 * reason, but for `moved`: from then on another one sends.
 */
export async function pauseSending(actor: Actor, why: PausedWhy): Promise<void> {
  await change(actor, async (c) => {
    const [property] = await c.query<{ why: PausedWhy | null }>(
      'select sending_paused_why as why from properties where id = $1 for update',
      [propertyId],
    )
    if (property!.why === why || (property!.why !== null && why !== 'moved')) return c.noop()
    const paused = { sendingPausedAt: c.now, sendingPausedWhy: why }
    await c.trx('properties').where({ id: propertyId }).update(paused)
    c.audit('property.sending_paused', propertyId, changesBetween(property!, { why }))
  })
}

/** What a resumed building drops of what waited. */
type Dropped = { emails: number; pushes: number; webhooks: number }

/**
 * Sends again. Dropped: webhooks and pushes that waited, and emails older than 24 h, because the
 * original may have sent them; `all`: the original sent none of it, so everything goes out. Null
 * when nothing was paused.
 */
export async function resumeSending(actor: Actor, { all = false } = {}): Promise<Dropped | null> {
  return change(actor, async (c) => {
    const [property] = await c.query<{ why: PausedWhy }>(
      'select sending_paused_why as why from properties where id = $1 and sending_paused_at is not null for update',
      [propertyId],
    )
    if (!property) {
      c.noop()
      return null
    }
    const sending = { sendingPausedAt: null, sendingPausedWhy: null }
    await c.trx('properties').where({ id: propertyId }).update(sending)
    const dropped = all ? { emails: 0, pushes: 0, webhooks: 0 } : await dropWaiting(c)
    c.audit('property.sending_resumed', propertyId, changesBetween(property, { dropped }))
    return dropped
  })
}

async function dropWaiting(c: Change): Promise<Dropped> {
  // What has just happened counts as what waits, though its messages may not be written yet.
  await fanOutEvents(c.query)
  const messages = await c.query<{ kind: 'mail' | 'push' }>(
    `update outbox set sent_at = $1, last_error = 'dropped: paused'
     where sent_at is null and failed_at is null
       and (kind = 'push' or created_at < $1::timestamptz - make_interval(hours => $2))
     returning kind`,
    [c.now, freshHours],
  )
  const webhooks = await dropWaitingDeliveries(c)
  await c.query('delete from email_events where created_at < $1::timestamptz - make_interval(hours => $2)', [
    c.now,
    freshHours,
  ])
  const emails = messages.filter(({ kind }) => kind === 'mail').length
  return { emails, pushes: messages.length - emails, webhooks }
}
