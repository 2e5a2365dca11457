import { readTopic, type Topic } from '../../vocabulary/events.js'
import { parseId } from '../../vocabulary/limits.js'
import { sealing } from '../process/sealing.js'
import type { Addressee, EmailLink, LinkData, LinkPurpose } from './links.js'

/**
 * Reads the links of emails that version 1.0.0 and those before it sent: sealed, with nothing
 * stored. Remove this file in December 2027.
 */
export function oldLink<P extends LinkPurpose>(
  purpose: P,
  token: string,
  tokenHash: Buffer,
): EmailLink<P> | null {
  const read =
    purpose === 'answer' ? oldAnswer(token) : purpose === 'unsubscribe' ? oldUnsubscribe(token) : null
  if (!read) return null
  const { data, ...rest } = read
  return { purpose, tokenHash, isUsed: false, ...rest, data: data as LinkData[P] }
}

type Old<P extends LinkPurpose> = Addressee & { data: LinkData[P]; isOver: boolean }

const answers = sealing('is it fixed')
const unsubscribes = sealing('unsubscribe')
const answerDays = 30

function oldAnswer(token: string): Old<'answer'> | null {
  const [incident, user, at] = answers.open(token)?.split('.') ?? []
  const [incidentId, userId] = [parseId(incident), parseId(user)]
  if (incidentId === null || userId === null) return null
  const isOver = Date.now() - Number(at) > answerDays * 86_400_000
  return { userId, data: { incidentId, resolvedAt: new Date(Number(at)).toISOString() }, isOver }
}

/** The account's id, or `m` and that of a person without one; then a dot and the topic. */
function oldUnsubscribe(token: string): Old<'unsubscribe'> | null {
  const [, isAddress, number, topic = ''] = /^(m?)(\d+)\.(.*)$/s.exec(unsubscribes.open(token) ?? '') ?? []
  const id = parseId(number)
  if (id === null || !readTopic(topic)) return null
  const who = isAddress ? { mailFollowerId: id } : { userId: id }
  return { ...who, data: { topic: topic as Topic }, isOver: false }
}
