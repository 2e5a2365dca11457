import { randomBytes } from 'node:crypto'
import { outboundPolicy } from '../../adapters/webhooks/outboundHttp.js'
import { urlProblem } from '../../adapters/webhooks/outboundUrl.js'
import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { Conflict } from '../../domain/system/conflict.js'
import { bounds } from '../../domain/system/limits.js'
import { orNotFound, ValidationFailed } from '../../domain/system/validation.js'
import type { EventName } from '../../domain/webhooks/events.js'
import { isMask } from '../../domain/webhooks/webhookSecret.js'
import { databasePort } from '../../models/webhooks/webhookDelivery.js'
import { WebhookSubscription } from '../../models/webhooks/webhookSubscription.js'
import { type RecordKind, versionOf } from '../records/records.js'
import { oneAtATime } from '../system/oneAtATime.js'

/** What forms compare to notice that somebody else was quicker; the secret is not told apart. */
export const subscriptionKind: RecordKind = {
  entity: 'webhook_subscription',
  model: WebhookSubscription,
  fields: ['url', 'events', 'active'],
}

/** What staff say of a subscription (spec §2). */
export type SubscriptionFields = { url: string; secret: string; events: EventName[]; active: boolean }

/** Without a secret, one is made here. */
export type NewSubscription = Omit<SubscriptionFields, 'secret'> & { secret?: string | null | undefined }

/** A field that is not there stays as it is; so does the secret when it comes back masked (decision 6.11). */
export type SubscriptionPatch = {
  [Field in keyof SubscriptionFields]?: SubscriptionFields[Field] | undefined
}

/** Subscribes a receiver; throws Invalid for an address webhooks may not go to (decision 4.9), a mask as
 * secret, or one too many. */
export async function createSubscription(actor: Actor, given: NewSubscription): Promise<WebhookSubscription> {
  const secret = given.secret ?? newSecret()
  if (isMask(secret)) throw new ValidationFailed({ secret: ['secret_masked'] })
  await refuseUrl(given.url)
  return change(actor, async (c) => {
    await refuseTooMany(c)
    const fields: SubscriptionFields = { url: given.url, secret, events: given.events, active: given.active }
    const made = await WebhookSubscription.query(c.trx)
      .insert({ ...fields, createdAt: c.now })
      .returning('*')
    c.audit('webhook_subscription.created', made.id, changesBetween(null, fields))
    return made
  })
}

/**
 * Changes a subscription; deliveries that wait follow it. `seen`: the version a form was made from; another one by now is
 * Refused. Throws Invalid like its creation, NotFound.
 */
export async function updateSubscription(
  actor: Actor,
  id: number,
  given: SubscriptionPatch,
  seen?: string,
): Promise<WebhookSubscription> {
  if (given.url !== undefined) await refuseUrl(given.url)
  return change(actor, async (c) => {
    const subscription = orNotFound(await WebhookSubscription.locked(c.trx, id))
    if (seen !== undefined && seen !== versionOf(subscriptionKind, subscription))
      throw new Conflict('edited_meanwhile')
    const before = fieldsOf(subscription)
    const after = patched(before, given)
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) c.noop()
    else {
      await subscription.$query(c.trx).patch(after)
      c.audit('webhook_subscription.updated', id, changes)
    }
    return subscription
  })
}

/** Gives a subscription a new secret, with which everything is signed from now on; returns it. Throws NotFound. */
export async function rotateSecret(actor: Actor, id: number): Promise<WebhookSubscription> {
  return change(actor, async (c) => {
    const subscription = orNotFound(await WebhookSubscription.locked(c.trx, id))
    const before = fieldsOf(subscription)
    await subscription.$query(c.trx).patch({ secret: newSecret() })
    c.audit('webhook_subscription.secret_rotated', id, changesBetween(before, fieldsOf(subscription)))
    return subscription
  })
}

/** Ends a subscription, with the log of its deliveries and those that wait. Throws NotFound. */
export async function deleteSubscription(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const subscription = orNotFound(await WebhookSubscription.locked(c.trx, id))
    await subscription.$query(c.trx).delete()
    c.audit('webhook_subscription.deleted', id, changesBetween(fieldsOf(subscription), null))
  })
}

async function refuseTooMany(c: Change): Promise<void> {
  await oneAtATime(c, 'webhook_subscriptions')
  const [row] = await c.query<{ count: number }>(
    'select count(*)::integer as count from webhook_subscriptions',
  )
  if (row!.count >= bounds.subscriptions) throw new ValidationFailed({ url: ['subscriptions_too_many'] })
}

/** 256 bits, which nobody guesses. */
const newSecret = () => randomBytes(32).toString('base64url')

function fieldsOf({ url, secret, events, active }: WebhookSubscription): SubscriptionFields {
  return { url, secret, events, active }
}

function patched(before: SubscriptionFields, given: SubscriptionPatch): SubscriptionFields {
  const { url = before.url, secret = before.secret, events = before.events, active = before.active } = given
  return { url, secret: isMask(secret) ? before.secret : secret, events, active }
}

async function refuseUrl(url: string): Promise<void> {
  const problem = await urlProblem(url, outboundPolicy(await databasePort()))
  if (problem) throw new ValidationFailed({ url: [problem] })
}
