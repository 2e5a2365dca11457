import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../platform/http/json.js'
import type { LoggedDelivery } from './webhookSubscription.js'

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
