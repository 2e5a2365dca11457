import { createHmac } from 'node:crypto'
import {
  blockedAddress,
  type HttpOutcome,
  type Outbound,
  type OutboundOptions,
  post,
} from '../../platform/net/outboundHttp.js'
import { countDelivery } from '../../platform/process/counters.js'
import { log, logSecurity } from '../../platform/process/log.js'
import { inSpan } from '../../platform/process/tracing.js'
import { chatBody } from '../chatBody.js'
import type { Claimed, Finished } from '../deliveryQueries.js'

/** Of a delivery whose body cannot be made. */
const unsendable = { status: 'failed: body', durationMs: 0 }

/**
 * Sends one claimed delivery, to a chat in the chat's own form, and says in the log how it ended.
 * Never throws.
 */
export async function sendDelivery(
  delivery: Claimed,
  outbound: OutboundOptions,
): Promise<Omit<Finished, 'id'>> {
  const isOurForm = delivery.format === 'caretaker'
  const body = isOurForm ? delivery.body : chatBodyOf(delivery)
  const outcome =
    body === null ? unsendable : await traced(delivery, () => post(signed(delivery, body), outbound))
  const { status, durationMs } = outcome
  if (status === blockedAddress)
    logSecurity('webhook_address.refused', {
      subscriptionId: delivery.subscriptionId,
      host: hostOf(delivery.url),
    })
  note(delivery, outcome)
  return { status, durationMs, sentBody: isOurForm ? null : body }
}

/** Null when it cannot be made: that ends this delivery alone, and not those claimed with it. */
function chatBodyOf(delivery: Claimed): string | null {
  try {
    return chatBody(delivery)
  } catch (error) {
    log.error({ error, id: delivery.id }, 'webhook body')
    return null
  }
}

/**
 * One line for each delivery, and of the request that caused it; the body and the address's secret
 * parts stay out.
 */
function note(
  { id, event, eventId, subscriptionId, requestId }: Claimed,
  { status, durationMs }: Pick<HttpOutcome, 'status' | 'durationMs'>,
): void {
  const arrived = status.startsWith('2')
  countDelivery('webhook', arrived ? 'sent' : 'failed')
  const facts = { requestId, kind: 'webhook', event, id, eventId, subscriptionId, status, ms: durationMs }
  log.info({ ...facts, result: arrived ? 'sent' : 'failed' }, 'delivery')
}

/**
 * A span of its own trace, which names the request that caused it; the receiver's address stays
 * out.
 */
function traced(delivery: Claimed, send: () => Promise<HttpOutcome>): Promise<HttpOutcome> {
  const { id, event, subscriptionId, requestId } = delivery
  const attributes = {
    'http.request.method': 'POST',
    'caretaker.delivery.id': id,
    'caretaker.webhook_subscription.id': subscriptionId,
    'caretaker.event': event,
    'caretaker.request_id': requestId ?? undefined,
  }
  return inSpan({ name: 'send webhook', kind: 'client', attributes }, send, ({ status }) => ({
    attributes: { 'http.response.status_code': /^\d+$/.test(status) ? Number(status) : undefined },
    error: status.startsWith('2') ? undefined : status,
  }))
}

/**
 * The HTTP request of a delivery: its exact body, signed with the current secret (spec §6 rule 2,
 * decision 6.11).
 */
function signed({ url, secret, eventId, claimedAt }: Claimed, text: string): Outbound {
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
