import {
  type Attempt,
  type Deliver,
  type DeliveryOutcome,
  maxAttempts,
  type OutboxMessage,
} from '../../vocabulary/email/delivery.js'
import { countDelivery } from '../process/deliveryCounts.js'
import { log } from '../process/log.js'
import { inSpan } from '../process/tracing.js'

/** Makes one attempt at a message, in a span; counts and logs the outcome. Never throws. */
export async function attemptDelivery(
  deliver: Deliver,
  message: OutboxMessage,
  attempt: Attempt,
): Promise<DeliveryOutcome> {
  const startedAt = performance.now()
  const outcome = await inDeliverySpan(message, () => deliverOrRetry(deliver, message, attempt))
  logDelivery(message, outcome, performance.now() - startedAt)
  return outcome
}

/** A crash also uses up an attempt, so a message that kills its process is given up in the end. */
async function deliverOrRetry(
  deliver: Deliver,
  message: OutboxMessage,
  attempt: Attempt,
): Promise<DeliveryOutcome> {
  if (message.attempts > maxAttempts) return { as: 'failed', why: 'never finished' }
  try {
    return await deliver(message, attempt)
  } catch (error) {
    log.error({ error, id: message.id, event: message.event }, 'message not made')
    return { as: 'retry', why: 'internal error' }
  }
}

/** In a trace of its own. The span names the request behind the message, and no recipient. */
function inDeliverySpan(
  message: OutboxMessage,
  send: () => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const { id, kind, event, attempts, requestId } = message
  const attributes = {
    'caretaker.delivery.id': id,
    'caretaker.delivery.attempts': attempts,
    'caretaker.event': event,
    'caretaker.request_id': requestId ?? undefined,
  }
  return inSpan({ name: `send ${kind}`, kind: 'producer', attributes }, send, ({ as }) => ({
    attributes: { 'caretaker.delivery.result': as },
    error: as === 'failed' || as === 'retry' ? as : undefined,
  }))
}

/** Logs each attempt in one line, which names the request behind the message, and no recipient. */
function logDelivery(
  { id, kind, event, attempts, requestId }: OutboxMessage,
  outcome: DeliveryOutcome,
  ms: number,
): void {
  countDelivery(kind, outcome.as)
  const why = 'why' in outcome ? { why: outcome.why } : {}
  const answer = 'answer' in outcome ? { answer: outcome.answer } : {}
  log.info(
    { requestId, kind, event, id, attempts, result: outcome.as, ...why, ...answer, ms: Math.round(ms) },
    'delivery',
  )
}
