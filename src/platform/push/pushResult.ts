import type { DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import { networkFailure } from '../net/networkFailure.js'
import { blockedAddress, type HttpOutcome } from '../net/outboundHttp.js'

/**
 * Milliseconds for a whole request to a push service, from connecting to the last byte: a push that
 * we stop waiting for is not repeated.
 */
export const pushTimeout = 30_000

/** `dead`: the push service no longer knows the device. */
export type PushResult = DeliveryOutcome | { as: 'dead' }

export type Retry = { as: 'retry'; why: string }

/** The outbox's words for a failure whose error code says nothing more. */
const failureWords: Partial<Record<NonNullable<HttpOutcome['failure']>, string>> = {
  timeout: 'timeout',
  refused: 'connection refused',
  reset: 'connection lost',
  tls: 'encryption failed',
  dns: 'name not found',
}

/** The result of a request to a push service that did not answer it. */
export function resultWithoutAnswer(outcome: HttpOutcome): PushResult {
  if (outcome.failure === blockedAddress) return { as: 'failed', why: `push ${blockedAddress}` }
  return endedByUs(outcome) ?? unreachable(outcome)
}

/**
 * The result of a request that we ended ourselves: the service may have a push that was written
 * whole. Null when something else broke.
 */
function endedByUs({ failure, isWritten }: HttpOutcome): PushResult | null {
  if (failure !== 'timeout' && failure !== 'stopped') return null
  if (isWritten) return { as: 'unconfirmed', why: 'push not confirmed' }
  return failure === 'stopped' ? { as: 'unsent' } : null
}

/**
 * The push service was not reached. A redirect counts as that, too, where the service itself never
 * redirects: a proxy or a captive portal has answered.
 */
export function unreachable(outcome: HttpOutcome): Retry {
  const code = 'errorCode' in outcome ? outcome.errorCode : null
  const byFailure = outcome.failure === null ? undefined : failureWords[outcome.failure]
  return { as: 'retry', why: `push ${networkFailure(code) ?? byFailure ?? 'unreachable'}` }
}
