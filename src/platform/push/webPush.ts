import { createHmac } from 'node:crypto'
import { blockedAddress, type HttpOutcome, type OutboundOptions, post } from '../net/outboundHttp.js'
import { publicOnly } from '../net/outboundUrl.js'
import type { WebPush } from '../process/config/webPush.js'
import { config } from '../process/config.js'
import { logSecurity } from '../process/log.js'
import type { PushMessage, PushResult } from './push.js'

/** `token`: the address that the push service gave; `serverKey`: our key at that time. */
export type Subscription = {
  id: number
  token: string
  p256dh: string | null
  auth: string | null
  serverKey: string | null
}

/**
 * Seconds a push service keeps a message for a browser that is off. Yesterday's news is not worth a
 * push.
 */
const timeToLive = 86_400
/** Milliseconds for a push service to answer: a push that we stop waiting for is not repeated. */
const patience = 30_000
/** Characters of a title or a body: both fit into the 3,993 bytes that every service takes. */
const longest = 300

/**
 * Sends to one browser, encrypted for it alone (RFC 8291) and signed (RFC 8292, decision 4.10).
 * Never throws, ends in time; only addresses of the public internet are dialled.
 */
export async function sendToBrowser(
  subscription: Subscription,
  message: PushMessage,
  options: OutboundOptions = {},
): Promise<PushResult> {
  const { webPush } = config
  if (!webPush) return { as: 'failed', why: 'push not configured' }
  // Its push service takes messages of that key alone, and would refuse each of ours.
  if (subscription.serverKey !== webPush.publicKey) return { as: 'dead' }
  const { headers, body } = await requestOf(subscription, message, webPush)
  const outcome = await post(
    { url: subscription.token, headers, body },
    { policy: publicOnly, deadline: patience, ...options },
  )
  if (outcome.status === blockedAddress)
    logSecurity('push_address.refused', { deviceId: subscription.id, host: new URL(subscription.token).host })
  if (outcome.status === 'failed: timeout' && outcome.isWritten)
    return { as: 'unconfirmed', why: 'push not confirmed' }
  return options.stop?.aborted && outcome.status.startsWith('failed') ? { as: 'unsent' } : verdict(outcome)
}

async function requestOf({ token, p256dh, auth }: Subscription, message: PushMessage, vapidDetails: WebPush) {
  const { default: webPush } = await import('web-push')
  const keys = { p256dh: p256dh ?? '', auth: auth ?? '' }
  const { headers, body } = webPush.generateRequestDetails({ endpoint: token, keys }, textOf(message), {
    vapidDetails,
    TTL: timeToLive,
    urgency: 'normal',
    topic: topicOf(token, message, vapidDetails),
  })
  return { headers: headers as Record<string, string>, body }
}

/** A newer message replaces a waiting one. The push service reads it, so it names nothing. */
function topicOf(token: string, { collapseKey }: PushMessage, { privateKey }: WebPush): string {
  const mac = createHmac('sha256', privateKey).update(`push topic:${token}:${collapseKey}`)
  return mac.digest('base64url').slice(0, 32)
}

/** What the page's worker reads: words for the notification, and the address it opens. */
function textOf({ title, body, page, collapseKey }: PushMessage): string {
  const short = (text: string) => [...text].slice(0, longest).join('')
  return JSON.stringify({ title: short(title), body: short(body), tag: collapseKey, url: page })
}

/** Words of the outbox for what broke on the way, as phones have them. */
const broken: Record<string, string> = {
  refused: 'connection refused',
  reset: 'connection lost',
  tls: 'encryption failed',
  dns: 'name not found',
}

function verdict({ status, after }: HttpOutcome): PushResult {
  const word = /^failed: (.*)$/.exec(status)?.[1]
  const why = `push ${word === undefined ? status : (broken[word] ?? word)}`
  if (status === blockedAddress) return { as: 'failed', why }
  const code = Number(status)
  if (code >= 200 && code < 300) return { as: 'sent' }
  if (code === 404 || code === 410) return { as: 'dead' }
  const later = word !== undefined || [401, 403, 408, 429].includes(code) || code >= 500
  return later ? { as: 'retry', why, after } : { as: 'failed', why }
}
