import { z } from 'zod'
import { count, instant, rowId, shape } from '../../platform/http/json.js'
import { deliveryKinds, type FailedDelivery } from './queries.js'

/** A failed delivery: a mail or push with its recipient, or a webhook with its address. */
export const FailedDeliveryJson = shape('FailedDelivery', {
  id: rowId,
  kind: z.enum(deliveryKinds),
  event: z.string(),
  recipientName: z.string().nullable(),
  recipientEmail: z.string().nullable(),
  url: z.string().nullable(),
  subscriptionId: rowId.nullable(),
  incidentId: rowId.nullable(),
  attempts: count,
  why: z.string(),
  createdAt: instant,
  failedAt: instant,
})
export type PresentedFailure = z.output<typeof FailedDeliveryJson>

export function presentFailedDelivery(row: FailedDelivery): PresentedFailure {
  return {
    id: row.deliveryId,
    kind: row.kind,
    event: row.event,
    recipientName: row.recipientName,
    recipientEmail: row.kind === 'mail' ? row.recipientEmail : null,
    url: row.url,
    subscriptionId: row.subscriptionId,
    incidentId: row.incidentId,
    attempts: row.attempts,
    why: row.why,
    createdAt: row.createdAt.toISOString(),
    failedAt: row.failedAt.toISOString(),
  }
}
