import type { EmailHeaders } from '../message.js'
import { anyValue, findMark, type HeaderMark } from './headerMarks.js'

/**
 * Headers of email that is taken in but gets no answer: machines and lists. An answer to them goes
 * to no one, or to everyone.
 */
const unanswerable: readonly HeaderMark[] = [
  { name: 'auto-submitted', value: /^\s*(?!no\s*(;|\(|$))\S/i },
  {
    name: /^(list-.+|mailing-list|x-mailing-list|x-mailman-version|x-beenthere|x-loop)$/,
    value: anyValue,
  },
  { name: 'precedence', value: /^\s*(bulk|list|junk)\b/i },
  { name: 'x-auto-response-suppress', value: /\b(all|oof|autoreply)\b/i },
]

/** No one reads email there: a mailbox like `lift_noreply2`, a domain like `noreply.x.example`. */
const noReply = new RegExp(
  `(^|[^a-z])(${[
    '(no|not|do[-_.]?not|dont|never|ne|nao|não|nicht)[-_.]?(reply|respond|respon[ds]er|responda|antworten)',
    'ne[-_.]?pas[-_.]?repondre',
    'nie[-_.]?odpowiadaj',
    'non[-_.]?rispondere',
    'geen[-_.]?antwoord',
    'keine[-_.]?antwort',
    'unattended',
  ].join('|')})([^a-z]|$)`,
  'iu',
)

/** Mailboxes of list and email software (RFC 3834, 2). */
const machines =
  /^(owner-.*|.*-(request|bounces?)|(bounces?|listserv|majordomo|mailman|sympa|root|daemon|nobody|www-data)([-+].*)?)$/i

/** Whether a person's email may be answered: someone reads what we send to its sender. */
export function isAnswerable(address: string | null, headers: EmailHeaders | null): boolean {
  if (address === null) return false
  const [local = '', domain = ''] = address.split('@')
  if (noReply.test(local) || noReply.test(domain) || machines.test(local)) return false
  return findMark(headers, unanswerable) === null
}
