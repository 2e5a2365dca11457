import { parseId } from '../../../vocabulary/limits.js'
import { sealing } from './sealing.js'

const { seal, open } = sealing('is it fixed')

/**
 * Who is asked whether which repair holds: it is told by its moment, so that no link answers for a
 * later one.
 */
export type Asked = { incidentId: number; userId: number; resolvedAt: Date }

/** The token of a link in an email that asks whether an incident is fixed (decision 7.15). */
export const answerToken = ({ incidentId, userId, resolvedAt }: Asked): string =>
  seal(`${incidentId}.${userId}.${resolvedAt.getTime()}`)

/** What a token asks; null for a forged one. */
export function readAnswerToken(token: string): Asked | null {
  const [incident, user, at] = open(token)?.split('.') ?? []
  const [incidentId, userId] = [parseId(incident), parseId(user)]
  return incidentId === null || userId === null
    ? null
    : { incidentId, userId, resolvedAt: new Date(Number(at)) }
}
