import { isOwnMessageId, ownAddress } from '../../vocabulary/email/ownEmail.js'
import type { EmailHeaders } from '../message.js'
import type { IgnoreReason } from '../reasons.js'

/** The language of an email that says so and is one of these; null for any other. */
export function mailLanguage(headers: EmailHeaders | null, known: readonly string[]): string | null {
  const [said = ''] = headers?.get('content-language') ?? []
  const language = said
    .trim()
    .toLowerCase()
    .split(/[-_,;\s]/)[0]!
  return known.includes(language) ? language : null
}

const anyValue = /^/

/** By header (RFC 3834 and practice): replies of machines, never what machines start. */
const marks: [name: string | RegExp, value: RegExp, reason: IgnoreReason][] = [
  ['return-path', /^\s*<\s*>\s*$/, 'bounce'],
  ['content-type', /^\s*(multipart\/report|message\/delivery-status)/i, 'bounce'],
  ['x-failed-recipients', anyValue, 'bounce'],
  ['auto-submitted', /^\s*auto-replied\s*(;|\(|$)/i, 'automatic_reply'],
  [/^x-(auto-?reply|autorespond|auto-?response|autoreply-from|mail-autoreply)$/, anyValue, 'automatic_reply'],
  ['precedence', /^\s*auto[-_]?reply/i, 'automatic_reply'],
]

/** Local parts of mail servers' addresses. */
const bouncing = /^(mailer-?daemon|postmaster)$/i

/**
 * Headers of email that is taken in but gets no answer: machines, lists and spam. An answer to them
 * goes to no one, to everyone, or to someone whose address was forged.
 */
const unanswerable: [name: string | RegExp, value: RegExp][] = [
  ['auto-submitted', /^\s*(?!no\s*(;|\(|$))\S/i],
  [/^(list-.+|mailing-list|x-mailing-list|x-mailman-version|x-beenthere|x-loop)$/, anyValue],
  ['precedence', /^\s*(bulk|list|junk)\b/i],
  ['x-auto-response-suppress', /\b(all|oof|autoreply)\b/i],
  [/^x-spam-(flag|status)$/, /^\s*yes\b/i],
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

const automatic = new RegExp(
  `^((re|aw|antw|fwd?)\\s*:\\s*)*(${[
    'auto(matic|mated)?[- ]?(reply|response)\\b',
    'out of (the )?office\\b',
    'i am out of (the )?office\\b',
    'automatische antwort\\b',
    'abwesenheits(notiz|nachricht|meldung|assistent)',
    'respuesta autom[aá]tica\\b',
    'fuera de (la )?oficina\\b',
    'r[eé]ponse automatique\\b',
    'absence du bureau\\b',
    'risposta automatica\\b',
    'fuori (sede|ufficio)\\b',
    'resposta autom[aá]tica\\b',
    'automatisch antwoord\\b',
    'afwezigheids?(bericht|melding)',
    'auto(matisk|maattinen)?[- ]?(t )?svar\\b',
    'automatyczna odpowied',
    'автоответ',
    '自动回复',
    '自動応答',
  ].join('|')})`,
  'iu',
)

const undelivered = new RegExp(
  `^(${[
    'undelivered mail',
    'undeliverable:',
    'mail delivery (failed|failure|subsystem|system)',
    'delivery status notification',
    'returned mail:',
    'failure notice$',
    'unzustellbar:',
    'no se puede entregar:',
    'non remis',
    'mensaje no entregado',
  ].join('|')})`,
  'iu',
)

/** Marks of automatic mail: the address in lower case, and the provider's Message-ID, if any. */
type MailMarks = {
  address: string | null
  subject: string
  messageId: string | null
  headers: EmailHeaders | null
}

/** `taken`: it becomes a report or an answer; `mayAnswer`: its sender may be written to. */
export type MailKind = { as: 'ignored'; reason: IgnoreReason } | { as: 'taken'; mayAnswer: boolean }

/** Our addresses, and the host of our message ids. */
type Ours = { addresses: readonly string[]; host: string }

/** Whether an email is ignored and why, or taken in and may be answered (decisions 6.12, 7.4). */
export function mailKind(marks: MailMarks, ours: Ours): MailKind {
  const reason = whyIgnored(marks, ours)
  return reason ? { as: 'ignored', reason } : { as: 'taken', mayAnswer: isAnswerable(marks) }
}

function isAnswerable({ address, headers }: MailMarks): boolean {
  if (address === null) return false
  const [local = '', domain = ''] = address.split('@')
  if (noReply.test(local) || noReply.test(domain) || machines.test(local)) return false
  return !unanswerable.some(([name, value]) => hasHeader(headers, name, value))
}

/**
 * Checks our own addresses and emails and mail servers first, then the headers or, without any, the
 * subject (decision 6.12). Null: not ignored.
 */
function whyIgnored({ address, subject, messageId, headers }: MailMarks, ours: Ours): IgnoreReason | null {
  const [local = ''] = (address ?? '').split('@')
  if (address !== null && isOurs(address, ours.addresses)) return 'own_address'
  const ids = [...(messageId === null ? [] : [messageId]), ...(headers?.get('message-id') ?? [])]
  if (ids.some((id) => isOwnMessageId(id, ours.host))) return 'own_mail'
  if (bouncing.test(local)) return 'bounce'
  return headers ? byHeaders(headers) : bySubject(subject)
}

/** Our addresses match with a tag, too: caretaker+inc7@… */
function isOurs(address: string, ours: readonly string[]): boolean {
  const untagged = address.replace(/\+[^@]*(?=@)/, '')
  const own = ours.map((each) => ownAddress(each).toLowerCase())
  return own.includes(address) || own.includes(untagged)
}

function byHeaders(headers: EmailHeaders): IgnoreReason | null {
  return marks.find(([name, value]) => hasHeader(headers, name, value))?.[2] ?? null
}

function hasHeader(headers: EmailHeaders | null, name: string | RegExp, value: RegExp): boolean {
  const test = (given: string) => value.test(given)
  if (typeof name === 'string') return headers?.get(name)?.some(test) ?? false
  for (const [header, values] of headers ?? []) if (name.test(header) && values.some(test)) return true
  return false
}

function bySubject(subject: string): IgnoreReason | null {
  if (automatic.test(subject)) return 'automatic_reply'
  return undelivered.test(subject) ? 'bounce' : null
}
