import type { DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import type { HttpOutcome } from '../net/outboundHttp.js'

/** The notification shown on a phone, and data to open the right place in the app. */
export type PushMessage = {
  title: string
  body: string
  /** For the app on a phone. Texts, because the messaging service accepts nothing else. */
  data: Readonly<Record<string, string>>
  /** The page that a browser opens for it. */
  page: string
  /** A newer push with the same key replaces an unread one. */
  collapseKey: string
}

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
