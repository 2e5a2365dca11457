import { randomBytes } from 'node:crypto'
import { outboundPolicy } from '../adapters/outboundHttp.js'
import { urlProblem } from '../adapters/outboundUrl.js'
import { change } from '../change.js'
import type { Actor } from '../domain/actor.js'
import { changesBetween } from '../domain/audit.js'
import type { EventName } from '../domain/events.js'
import { found, Invalid } from '../domain/invalid.js'
import { isMask } from '../domain/webhookSecret.js'
import { databasePort } from '../models/webhookDelivery.js'
import { WebhookSubscription } from '../models/webhookSubscription.js'

/** What staff say of a subscription (spec §2). */
export type SubscriptionFields = { url: string; secret: string; events: EventName[]; active: boolean }

/** Without a secret, one is made here. */
export type NewSubscription = Omit<SubscriptionFields, 'secret'> & { secret?: string | null | undefined }

/** A field that is not there stays as it is; so does the secret when it comes back masked (decision 6.11). */
export type SubscriptionPatch = {
  [Field in keyof SubscriptionFields]?: SubscriptionFields[Field] | undefined
}

/** Subscribes a receiver; throws Invalid for an address webhooks may not go to (decision 4.9) or a mask as secret. */
export async function createSubscription(actor: Actor, given: NewSubscription): Promise<WebhookSubscription> {
  const secret = given.secret ?? randomBytes(32).toString('base64url')
  if (isMask(secret)) throw new Invalid({ secret: ['secret_masked'] })
  await refuseUrl(given.url)
  return change(actor, async (c) => {
    const fields: SubscriptionFields = { url: given.url, secret, events: given.events, active: given.active }
    const made = await WebhookSubscription.query(c.trx)
      .insert({ ...fields, createdAt: c.now })
      .returning('*')
    c.audit('webhook_subscription.created', made.id, changesBetween(null, fields))
    return made
  })
}

/** Changes a subscription; deliveries that wait follow it. Throws Invalid like its creation, NotFound. */
export async function updateSubscription(
  actor: Actor,
  id: number,
  given: SubscriptionPatch,
): Promise<WebhookSubscription> {
  if (given.url !== undefined) await refuseUrl(given.url)
  return change(actor, async (c) => {
    const subscription = found(await WebhookSubscription.locked(c.trx, id))
    const before = fieldsOf(subscription)
    const after = patched(before, given)
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) c.unchanged()
    else {
      await subscription.$query(c.trx).patch(after)
      c.audit('webhook_subscription.updated', id, changes)
    }
    return subscription
  })
}

/** Ends a subscription, with the log of its deliveries and those that wait. Throws NotFound. */
export async function deleteSubscription(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const subscription = found(await WebhookSubscription.locked(c.trx, id))
    await subscription.$query(c.trx).delete()
    c.audit('webhook_subscription.deleted', id, changesBetween(fieldsOf(subscription), null))
  })
}

function fieldsOf({ url, secret, events, active }: WebhookSubscription): SubscriptionFields {
  return { url, secret, events, active }
}

function patched(before: SubscriptionFields, given: SubscriptionPatch): SubscriptionFields {
  const { url = before.url, secret = before.secret, events = before.events, active = before.active } = given
  return { url, secret: isMask(secret) ? before.secret : secret, events, active }
}

async function refuseUrl(url: string): Promise<void> {
  const problem = await urlProblem(url, outboundPolicy(await databasePort()))
  if (problem) throw new Invalid({ url: [problem] })
}
