import { incidentOfMessage, sealedName } from '../../vocabulary/email/messageName.js'
import { isOwnMessageId } from '../../vocabulary/email/ownEmail.js'
import type { EmailHeaders } from '../message.js'

/** Message ids examined; real threads name a few dozen. */
const mostIds = 200

/** The message ids an email answers, nearest first. */
function answeredIds(headers: EmailHeaders | null): string[] {
  const idsIn = (name: string) =>
    (headers?.get(name) ?? []).flatMap((ids) => ids.split(/[\s,]+/)).slice(-mostIds)
  return [...idsIn('in-reply-to'), ...idsIn('references').reverse()]
}

/** Whether an email answers one of ours or its thread. `host`: of our message ids. */
export function answersOurs(headers: EmailHeaders | null, host: string): boolean {
  return answeredIds(headers).some((id) => isOwnMessageId(id, host))
}

/** What the email of ours that it answers was about, by an id only we can make; else null. */
export function answeredIncident(
  headers: EmailHeaders | null,
  { key, host }: { key: Buffer; host: string },
): { incidentId: number; isAssignment: boolean } | null {
  for (const id of answeredIds(headers)) {
    const answered = incidentOfMessage(key, id, host)
    if (answered !== null) return answered
  }
  return null
}

/** Whether an email answers one of ours that is about no incident, such as the weekly digest. */
export function namesNoIncident(
  headers: EmailHeaders | null,
  { key, host }: { key: Buffer; host: string },
): boolean {
  return answeredIds(headers).some(
    (id) => sealedName(key, id, host) !== null && incidentOfMessage(key, id, host) === null,
  )
}
