import type { FailedDelivery } from '../../models/system/failedDelivery.js'

/** What did not arrive: a mail or push with whom it was for, or a webhook with its address. */
export function presentFailedDelivery(row: FailedDelivery) {
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
