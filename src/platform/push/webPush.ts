import { createHmac } from 'node:crypto'
import { publicOnly } from '../net/addressPolicy.js'
import { blockedAddress, type HttpOutcome, type OutboundOptions, post } from '../net/outboundHttp.js'
import type { WebPush } from '../process/config/webPush.js'
import { config } from '../process/config.js'
import { logSecurity } from '../process/log.js'
import type { PushMessage } from './pushMessage.js'
import { type PushResult, pushTimeout, resultWithoutAnswer } from './pushResult.js'

/** `endpoint`: the address that the push service gave; `serverKey`: our key at that time. */
export type Subscription = {
  id: number
  endpoint: string
  p256dh: string | null
  auth: string | null
  serverKey: string | null
}

/**
 * Seconds a push service keeps a message for a browser that is off. Yesterday's news is not worth a
 * push.
 */
const timeToLive = 86_400
/** Characters of a title or a body: both fit into the 3,993 bytes that every service takes. */
const mostCharacters = 300

/**
 * Sends to one browser, encrypted for it alone (RFC 8291) and signed (RFC 8292, decision 4.10).
 * Never throws, ends in time; only addresses of the public internet are dialled.
 */
export async function sendToBrowser(
  subscription: Subscription,
  message: PushMessage,
  options: Partial<OutboundOptions> = {},
): Promise<PushResult> {
  const keys = config.webPush
  if (!keys) return { as: 'failed', why: 'push not configured' }
  // Its push service takes messages of that key alone, and would refuse each of ours.
  if (subscription.serverKey !== keys.publicKey) return { as: 'dead' }
  const { headers, body } = await encryptedRequest(subscription, message, keys)
  const outcome = await post(
    { url: subscription.endpoint, headers, body },
    { policy: publicOnly, deadline: pushTimeout, ...options },
  )
  if (outcome.failure === blockedAddress)
    logSecurity('push_address.refused', {
      deviceId: subscription.id,
      host: new URL(subscription.endpoint).host,
    })
  return resultOf(outcome)
}

async function encryptedRequest(
  { endpoint, p256dh, auth }: Subscription,
  message: PushMessage,
  keys: WebPush,
) {
  const { default: library } = await import('web-push')
  const subscription = { endpoint, keys: { p256dh: p256dh ?? '', auth: auth ?? '' } }
  const { headers, body } = library.generateRequestDetails(subscription, payloadOf(message), {
    vapidDetails: keys,
    TTL: timeToLive,
    urgency: 'normal',
    topic: topicOf(endpoint, message, keys),
  })
  return { headers: headers as Record<string, string>, body }
}

/** A newer message replaces a waiting one. The push service reads it, so it names nothing. */
function topicOf(endpoint: string, { collapseKey }: PushMessage, { privateKey }: WebPush): string {
  const mac = createHmac('sha256', privateKey).update(`push topic:${endpoint}:${collapseKey}`)
  return mac.digest('base64url').slice(0, 32)
}

/** What the page's worker reads: words for the notification, and the address it opens. */
function payloadOf({ title, body, page, collapseKey }: PushMessage): string {
  const short = (text: string) => [...text].slice(0, mostCharacters).join('')
  return JSON.stringify({ title: short(title), body: short(body), tag: collapseKey, url: page })
}

function resultOf(outcome: HttpOutcome): PushResult {
  const { code } = outcome
  if (code === null) return resultWithoutAnswer(outcome)
  const why = `push ${code}`
  if (code >= 200 && code < 300) return { as: 'sent' }
  if (code === 404 || code === 410) return { as: 'dead' }
  const mayWorkLater = [401, 403, 408, 429].includes(code) || code >= 500
  return mayWorkLater ? { as: 'retry', why, after: outcome.after } : { as: 'failed', why }
}
