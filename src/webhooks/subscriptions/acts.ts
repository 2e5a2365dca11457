import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { oneAtATime } from '../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../platform/db/change.js'
import { databasePort } from '../../platform/db/databasePort.js'
import { type RecordKind, requireVersion } from '../../platform/http/records/recordActs.js'
import { urlProblem } from '../../platform/net/receiverUrl.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { defined } from '../../vocabulary/collections.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { webhookPolicy } from '../webhookPolicy.js'
import { isMask, subscriptionEntity, type subscriptionInput, WebhookSubscription } from './entity.js'

/** The secret is no part of the version that forms compare. */
export const subscriptionKind: RecordKind = { ...subscriptionEntity.kind, model: WebhookSubscription }

/** The fields staff set (spec §2). */
type SubscriptionFields = Pick<WebhookSubscription, 'url' | 'secret' | 'events' | 'active' | 'format'>

/** Without a secret, one is generated. */
export type NewSubscription = z.output<typeof subscriptionInput> & { secret?: string | null | undefined }

/** A missing field stays as it is; so does the secret when it comes back masked (decision 6.11). */
type SubscriptionPatch = {
  [Field in keyof SubscriptionFields]?: SubscriptionFields[Field] | undefined
}

/**
 * Creates a subscription. Throws ValidationFailed for a forbidden address (decision 4.9), a masked
 * secret, or one subscription too many.
 */
export async function createSubscription(actor: Actor, input: NewSubscription): Promise<WebhookSubscription> {
  const secret = input.secret ?? newSecret()
  if (isMask(secret)) throw new ValidationFailed({ secret: ['secret_masked'] })
  await refuseUrl(input.url)
  return change(actor, async (c) => {
    await refuseTooMany(c)
    const { url, events, active, format = 'caretaker' } = input
    const fields: SubscriptionFields = { url, secret, events, active, format }
    const made = await WebhookSubscription.query(c.trx)
      .insert({ ...fields, createdAt: c.now })
      .returning('*')
    c.audit('webhook_subscription.created', made.id, changesBetween(null, fields))
    return made
  })
}

/**
 * Changes a subscription; waiting deliveries use the new values. `version`: the one the form was
 * made from. Throws Conflict for another version, ValidationFailed as on creation, NotFound.
 */
export async function updateSubscription(
  actor: Actor,
  id: number,
  patch: SubscriptionPatch,
  version?: string,
): Promise<WebhookSubscription> {
  if (patch.url !== undefined) await refuseUrl(patch.url)
  return change(actor, async (c) => {
    const subscription = orNotFound(await WebhookSubscription.locked(c.trx, id))
    requireVersion(subscriptionKind, subscription, version)
    const before = fieldsOf(subscription)
    const after = patched(before, patch)
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) c.noop()
    else {
      await subscription.$query(c.trx).patch(after)
      c.audit('webhook_subscription.updated', id, changes)
    }
    return subscription
  })
}

/**
 * Replaces the secret, which signs everything sent from now on; returns the subscription. Throws
 * NotFound.
 */
export async function rotateSecret(actor: Actor, id: number): Promise<WebhookSubscription> {
  return change(actor, async (c) => {
    const subscription = orNotFound(await WebhookSubscription.locked(c.trx, id))
    const before = fieldsOf(subscription)
    await subscription.$query(c.trx).patch({ secret: newSecret() })
    c.audit('webhook_subscription.secret_rotated', id, changesBetween(before, fieldsOf(subscription)))
    return subscription
  })
}

/** Deletes a subscription with its delivery log and waiting deliveries. Throws NotFound. */
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

/** 256 random bits. */
const newSecret = () => randomBytes(32).toString('base64url')

function fieldsOf({ url, secret, events, active, format }: WebhookSubscription): SubscriptionFields {
  return { url, secret, events, active, format }
}

function patched(before: SubscriptionFields, patch: SubscriptionPatch): SubscriptionFields {
  const after = { ...before, ...defined(patch) }
  return isMask(after.secret) ? { ...after, secret: before.secret } : after
}

async function refuseUrl(url: string): Promise<void> {
  const problem = await urlProblem(url, webhookPolicy(await databasePort()))
  if (problem) throw new ValidationFailed({ url: [problem] })
}
