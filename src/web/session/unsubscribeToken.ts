import { createHmac, timingSafeEqual } from 'node:crypto'
import { config } from '../../config.js'
import { readTopic, type Topic } from '../../domain/accounts/notifications.js'
import { parseId } from '../../domain/system/limits.js'

const key = createHmac('sha256', config.sessionSecret).update('unsubscribe').digest()

/** The token of an unsubscribe address: for one person and topic, without expiry (RFC 8058). */
export function unsubscribeToken(userId: number, topic: Topic): string {
  const said = `${userId}.${topic}`
  return `${Buffer.from(said).toString('base64url')}.${seal(said)}`
}

/** What a token was made for; null for a forged one. */
export function readUnsubscribeToken(token: string): { userId: number; topic: Topic } | null {
  const [said = '', sealed = ''] = token.split('.')
  const text = Buffer.from(said, 'base64url').toString()
  if (!equal(sealed, seal(text))) return null
  const dot = text.indexOf('.')
  const [userId, topic] = [parseId(text.slice(0, dot)), text.slice(dot + 1)]
  return userId !== null && readTopic(topic) ? { userId, topic: topic as Topic } : null
}

/** Half of SHA-256 cannot be guessed, and keeps the address on one line of a mail. */
function seal(said: string): string {
  return createHmac('sha256', key).update(said).digest().subarray(0, 16).toString('base64url')
}

function equal(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
