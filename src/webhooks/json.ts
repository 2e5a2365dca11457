import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../platform/http/json.js'
import { bodyFormats } from '../vocabulary/bodyFormat.js'
import { eventNames } from '../vocabulary/events.js'
import { maskedSecret } from './webhookSecret.js'
import type { LoggedDelivery, WebhookSubscription } from './webhookSubscription.js'

/** A webhook subscription (spec §2), its secret masked (decision 4.8). */
export const WebhookJson = shape('Webhook', {
  id: rowId,
  url: z.string(),
  secret: z.string().nullable(),
  events: z.array(z.enum(eventNames)),
  active: z.boolean(),
  format: z.enum(bodyFormats),
  lastStatus: z.string().nullable(),
  lastFiredAt: instantText.nullable(),
})

export function presentSubscription(row: WebhookSubscription): z.output<typeof WebhookJson> {
  return {
    id: row.id,
    url: row.url,
    secret: maskedSecret(row.secret),
    events: row.events,
    active: row.active,
    format: row.format,
    lastStatus: row.lastStatus,
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
  }
}

/** The answer to its creation: the only time the secret is shown. */
export function presentNewSubscription(row: WebhookSubscription): z.output<typeof WebhookJson> {
  return { ...presentSubscription(row), secret: row.secret }
}

/** An entry of a delivery log; `body` is the signed text, byte for byte (decision 4.8). */
export const DeliveryJson = shape('WebhookDelivery', {
  id: rowId,
  event: z.string(),
  status: z.string().nullable(),
  durationMs: wholeNumber.nullable(),
  createdAt: instantText,
  finishedAt: instantText.nullable(),
  body: z.string(),
})

export function presentDelivery(row: LoggedDelivery): z.output<typeof DeliveryJson> {
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    body: row.body,
  }
}
