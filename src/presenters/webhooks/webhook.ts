import { maskedSecret } from '../../domain/webhooks/webhookSecret.js'
import type { LoggedDelivery, WebhookSubscription } from '../../models/webhooks/webhookSubscription.js'

/** A webhook subscription (spec §2), its secret masked (decision 4.8). */
export function presentSubscription(row: WebhookSubscription) {
  return {
    id: row.id,
    url: row.url,
    secret: maskedSecret(row.secret),
    events: row.events,
    active: row.active,
    lastStatus: row.lastStatus,
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
  }
}

/** The same for whoever has just made it: the only time its secret is shown. */
export function presentNewSubscription(row: WebhookSubscription) {
  return { ...presentSubscription(row), secret: row.secret }
}

/** An entry of a subscription's delivery log; `body` is the text that was signed, to the byte (decision 4.8). */
export function presentDelivery(row: LoggedDelivery) {
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
