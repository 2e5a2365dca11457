import { isOwnMessageId } from '../domain/mail/ownMail.js'
import { addressIn } from './mailText.js'

/** Why a mail is ignored (decisions 4.5, 6.12). */
export const ignoreReasons = ['own_address', 'own_mail', 'bounce', 'automatic_reply'] as const
export type IgnoreReason = (typeof ignoreReasons)[number]

/** The headers of a mail, by lower-case name. */
export type MailHeaders = ReadonlyMap<string, readonly string[]>

/** Most headers, and characters of a value, that are examined. */
const mostHeaders = 1_000
const mostValue = 10_000

/**
 * Reads a provider's `headers`: an object of names in any case with one or more values, or a list of `{name,
 * value}`. Values keep their order. Null when nothing is usable.
 */
export function mailHeaders(given: unknown): MailHeaders | null {
  const headers = new Map<string, string[]>()
  for (const [name, value] of pairsOf(given)) {
    const values = (Array.isArray(value) ? value.slice(0, mostHeaders) : [value])
      .filter((each): each is string => typeof each === 'string')
      .map((each) => each.slice(0, mostValue))
    const key = name.slice(0, mostValue).toLowerCase()
    const known = headers.get(key)
    if (known) known.push(...values)
    else headers.set(key, values)
  }
  return headers.size > 0 ? headers : null
}

function pairsOf(given: unknown): [string, unknown][] {
  if (typeof given !== 'object' || given === null) return []
  if (!Array.isArray(given)) return Object.entries(given).slice(0, mostHeaders)
  return given
    .slice(0, mostHeaders)
    .flatMap((each: { name?: unknown; value?: unknown } | null) =>
      typeof each?.name === 'string' ? [[each.name, each.value]] : [],
    )
}

/** Whether a mail answers one of ours or its thread. `host`: of our message ids. */
export function answersOwnMail(headers: MailHeaders | null, host: string): boolean {
  const named = ['in-reply-to', 'references'].flatMap((name) => headers?.get(name) ?? [])
  return named.some((ids) => ids.split(/\s+/).some((id) => isOwnMessageId(id, host)))
}

type Test = (value: string) => boolean
const isThere: Test = () => true
const matches =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value)

/**
 * By header (RFC 3834 and what programs really send). Not `bulk`, lists or `auto-generated`: lift monitors and
 * group addresses use them. Not X-Auto-Response-Suppress: it marks no answer.
 */
const marks: [name: string | RegExp, test: Test, reason: IgnoreReason][] = [
  ['return-path', matches(/^\s*<\s*>\s*$/), 'bounce'],
  ['content-type', matches(/^\s*(multipart\/report|message\/delivery-status)/i), 'bounce'],
  ['x-failed-recipients', isThere, 'bounce'],
  ['auto-submitted', matches(/^\s*auto-replied\s*(;|\(|$)/i), 'automatic_reply'],
  [/^x-(auto-?reply|autorespond|auto-?response|autoreply-from|mail-autoreply)$/, isThere, 'automatic_reply'],
  ['precedence', matches(/^\s*auto[-_]?reply/i), 'automatic_reply'],
]

/** Local parts of mail servers' addresses. */
const bouncing = /^(mailer-?daemon|postmaster)$/i

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
export type MailMarks = {
  address: string | null
  subject: string
  messageId: string | null
  headers: MailHeaders | null
}

/**
 * Why this mail is ignored; null when it is not. Checks our own addresses and mails and mail servers first,
 * then the headers or, without any, the subject (decision 6.12). `host`: of our message ids.
 */
export function whyIgnored(
  { address, subject, messageId, headers }: MailMarks,
  ours: { addresses: readonly string[]; host: string },
): IgnoreReason | null {
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
  return ours.map(addressIn).some((own) => own === address || own === untagged)
}

function byHeaders(headers: MailHeaders): IgnoreReason | null {
  for (const [name, test, reason] of marks) {
    for (const [header, values] of headers) {
      const named = typeof name === 'string' ? header === name : name.test(header)
      if (named && values.some(test)) return reason
    }
  }
  return null
}

function bySubject(subject: string): IgnoreReason | null {
  if (automatic.test(subject)) return 'automatic_reply'
  return undelivered.test(subject) ? 'bounce' : null
}
