import type { DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import { networkFailure } from '../net/networkFailure.js'
import type { HttpOutcome } from '../net/outboundHttp.js'

/**
 * Milliseconds for a whole request to a push service, from connecting to the last byte: a push that
 * we stop waiting for is not repeated.
 */
export const pushTimeout = 30_000

/** `dead`: the push service no longer knows the device. */
export type PushResult = DeliveryOutcome | { as: 'dead' }

/**
 * The result of a request without an answer that we ended ourselves: the service may have a push
 * that was written whole. Null when something else broke.
 */
export function cutShort({ failure, isWritten }: HttpOutcome): PushResult | null {
  if (failure !== 'timeout' && failure !== 'stopped') return null
  if (isWritten) return { as: 'unconfirmed', why: 'push not confirmed' }
  return failure === 'stopped' ? { as: 'unsent' } : null
}

export type Retry = { as: 'retry'; why: string }

/** For a request without an answer of the push service: a redirect is of something in between. */
export function unreachable({ failure, ...outcome }: HttpOutcome): Retry {
  const code = 'errorCode' in outcome ? outcome.errorCode : null
  const words = failure === 'timeout' ? 'timeout' : (networkFailure(code) ?? 'unreachable')
  return { as: 'retry', why: `push ${words}` }
}
