import { incidentOfMessage } from '../domain/mail/messageName.js'
import { isOwnMessageId } from '../domain/mail/ownMail.js'
import type { MailHeaders } from './autoMail.js'

/** Message ids examined; real threads name a few dozen. */
const mostIds = 200

/** The message ids a mail answers, nearest first. */
function answeredIds(headers: MailHeaders | null): string[] {
  const idsIn = (name: string) =>
    (headers?.get(name) ?? []).flatMap((ids) => ids.split(/[\s,]+/)).slice(-mostIds)
  return [...idsIn('in-reply-to'), ...idsIn('references').reverse()]
}

/** Whether a mail answers one of ours or its thread. `host`: of our message ids. */
export function answersOwnMail(headers: MailHeaders | null, host: string): boolean {
  return answeredIds(headers).some((id) => isOwnMessageId(id, host))
}

/** The incident of the mail of ours that this one answers, by a message id only we can have made; else null. */
export function answeredIncident(
  headers: MailHeaders | null,
  { key, host }: { key: Buffer; host: string },
): number | null {
  for (const id of answeredIds(headers)) {
    const incidentId = incidentOfMessage(key, id, host)
    if (incidentId !== null) return incidentId
  }
  return null
}
