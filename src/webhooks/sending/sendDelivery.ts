import { createHmac } from 'node:crypto'
import {
  blockedAddress,
  type HttpOutcome,
  type Outbound,
  type OutboundOptions,
  post,
} from '../../platform/net/outboundHttp.js'
import { countDelivery } from '../../platform/process/deliveryCounts.js'
import { log, logSecurity } from '../../platform/process/log.js'
import { inSpan } from '../../platform/process/tracing.js'
import { deliveryFailures, failedStatus, isDelivered } from '../../vocabulary/webhookStatus.js'
import { chatBody } from './chatBody.js'
import type { ClaimedDelivery, WebhookOutcome } from './deliveryQueries.js'

/**
 * Sends one claimed delivery, to a chat in the chat's own form, and says in the log how it ended.
 * Never throws.
 */
export async function sendDelivery(
  delivery: ClaimedDelivery,
  outbound: OutboundOptions,
): Promise<WebhookOutcome> {
  const { id, subscriptionId, format, url } = delivery
  const end = (status: string, durationMs: number, sentBody: string | null) => {
    logOutcome(delivery, status, durationMs)
    return { id, subscriptionId, status, durationMs, sentBody }
  }
  const chatText = format === 'caretaker' ? null : chatBodyOf(format, delivery)
  const body = format === 'caretaker' ? delivery.body : chatText
  if (body === null) return end(deliveryFailures.body, 0, null)
  const outcome = await withTrace(delivery, () => post(signedRequest(delivery, body), outbound))
  if (outcome.failure === blockedAddress)
    logSecurity('webhook_address.refused', { subscriptionId, host: hostOf(url) })
  return end(statusOf(outcome), outcome.durationMs, chatText)
}

/** The status that the log keeps: the HTTP status as text, or `failed: ` and a fixed word. */
export function statusOf({ code, failure }: HttpOutcome): string {
  return failure === null ? String(code) : failedStatus(failure)
}

/** Null when it cannot be made: that ends this delivery alone, and not those claimed with it. */
function chatBodyOf(format: 'slack' | 'teams', delivery: ClaimedDelivery): string | null {
  try {
    return chatBody(format, delivery)
  } catch (error) {
    log.error({ error, id: delivery.id }, 'webhook body')
    return null
  }
}

/**
 * Writes one line for each delivery, with the request that caused it; the body and the address's
 * secret parts stay out.
 */
function logOutcome(delivery: ClaimedDelivery, status: string, ms: number): void {
  const { id, subscriptionId, event, eventId, requestId } = delivery
  const result = isDelivered(status) ? 'sent' : 'failed'
  countDelivery('webhook', result)
  const facts = { requestId, kind: 'webhook', event, id, eventId, subscriptionId, status, ms }
  log.info({ ...facts, result }, 'delivery')
}

/**
 * A span of its own trace, which names the request that caused it; the receiver's address stays
 * out.
 */
function withTrace(delivery: ClaimedDelivery, send: () => Promise<HttpOutcome>): Promise<HttpOutcome> {
  const { id, event, subscriptionId, requestId } = delivery
  const attributes = {
    'http.request.method': 'POST',
    'caretaker.delivery.id': id,
    'caretaker.webhook_subscription.id': subscriptionId,
    'caretaker.event': event,
    'caretaker.request_id': requestId ?? undefined,
  }
  return inSpan({ name: 'send webhook', kind: 'client', attributes }, send, (outcome) => {
    const status = statusOf(outcome)
    return {
      attributes: { 'http.response.status_code': outcome.code ?? undefined },
      error: isDelivered(status) ? undefined : status,
    }
  })
}

/**
 * The HTTP request of a delivery: its exact body, signed with the current secret (spec §6 rule 2,
 * decision 6.11).
 */
function signedRequest({ url, secret, eventId, claimedAt }: ClaimedDelivery, text: string): Outbound {
  const body = Buffer.from(text)
  return {
    url,
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Caretaker',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(claimedAt.getTime() / 1000)),
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  }
}

/** The host with its port; an invalid address is refused when its delivery starts. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
