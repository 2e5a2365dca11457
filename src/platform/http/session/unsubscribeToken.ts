import { parseId } from '../../../vocabulary/limits.js'
import { readTopic, type Topic } from '../../../vocabulary/notifications.js'
import { sealing } from './sealing.js'

const { seal, open } = sealing('unsubscribe')

/** Whose emails a token is about: an account's, or those of a person without one. */
export type Addressee = { userId: number } | { mailFollowerId: number }

/** The token of an unsubscribe address: for one person and topic, without expiry (RFC 8058). */
export function unsubscribeToken(who: number | Addressee, topic: Topic): string {
  return seal(`${nameOf(typeof who === 'number' ? { userId: who } : who)}.${topic}`)
}

/** What a token was made for; null for a forged one. */
export function readUnsubscribeToken(token: string): (Addressee & { topic: Topic }) | null {
  const text = open(token)
  if (text === null) return null
  const dot = text.indexOf('.')
  const [who, topic] = [addresseeOf(text.slice(0, dot)), text.slice(dot + 1)]
  return who !== null && readTopic(topic) ? { ...who, topic: topic as Topic } : null
}

const nameOf = (who: Addressee) => ('userId' in who ? `${who.userId}` : `m${who.mailFollowerId}`)

function addresseeOf(name: string): Addressee | null {
  const isAddress = name.startsWith('m')
  const id = parseId(isAddress ? name.slice(1) : name)
  if (id === null) return null
  return isAddress ? { mailFollowerId: id } : { userId: id }
}
