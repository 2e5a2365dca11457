import type { EmailHeaders } from '../message.js'
import { findMark, type HeaderMark } from './headerMarks.js'

const yes = /^\s*(yes|true|1)\b/i

/** Headers in which a mail server or filter says that an email is spam or has a virus. */
const headerMarks: readonly HeaderMark[] = [
  // SpamAssassin and Amavis; also Postmark.
  { name: 'x-spam-flag', value: yes },
  { name: 'x-spam-status', value: yes },
  // Rspamd: "True" means that it would have been refused.
  { name: 'x-spam', value: yes },
  { name: 'x-spamd-result', value: /^[^:]*:\s*true\b/i },
  { name: 'x-rspamd-action', value: /^\s*(reject|add header|rewrite subject|quarantine|discard)\b/i },
  // Microsoft Exchange and 365: a confidence of 5 to 9, or a verdict.
  { name: 'x-ms-exchange-organization-scl', value: /^\s*[5-9]\b/ },
  {
    name: 'x-forefront-antispam-report',
    value: /\b(SFV:(SPM|SKS|SKB)|SCL:[5-9]|CAT:(H?SPM|H?PHSH|MALW))\b/i,
  },
  // Google Workspace, where it routes email on.
  { name: /^x-gm-(spam|phishy)$/, value: /^\s*1\b/ },
  // Proofpoint: "notspam" and "outbound_notspam" are none.
  {
    name: 'x-proofpoint-spam-details',
    value: /\brule=([a-z]+_)*(definite_?)?(spam|phish|phishing|malware|virus)\b/i,
  },
  { name: /^x-barracuda-spam-(flag|status)$/, value: yes },
  { name: 'x-mailgun-sflag', value: yes },
  { name: /^x-ses-(spam|virus)-verdict$/, value: /^\s*fail\b/i },
  // MailScanner puts the name of its building into the header: "spam, SpamAssassin (…)".
  { name: /^x-(.+-)?mailscanner-spamcheck$/, value: /^\s*spam\b/i },
  { name: 'x-klms-antispam-status', value: /^\s*(spam|phishing)\b/i },
  { name: 'x-ui-filterresults', value: /^\s*junk:/i },
  { name: /^x-(vr-spamstate|ovh-spam-status)$/, value: /^\s*spam\b/i },
  { name: 'x-yandex-spam', value: /^\s*4\b/ },
  { name: 'x-virus-status', value: /^\s*(yes|infected)\b/i },
  { name: 'x-amavis-alert', value: /^\s*infected\b/i },
]

/** Headers in which a filter gives its verdict: beside one, a score says nothing more. */
const verdicts =
  /^x-(spam(-flag|-status)?|spamd-result|rspamd-action|mailgun-sflag|barracuda-spam-(flag|status)|ses-spam-verdict)$/

/** SpamAssassin’s usual limit: of a filter that gives only a score, this and more is a mark. */
const leastScore = 5
const scoreHeaders = [
  'x-spam-score',
  'x-mailgun-sscore',
  'x-barracuda-spam-score',
  'x-spam-level',
  'x-spam-bar',
]

/** What mail servers put before the subject of spam. */
const subjectMark = /^\s*(\*{2,}\s*spam\s*\*{2,}|\[\s*spam\s*\]|\{\s*spam\s*\??\s*\})/i

/** Where providers' posts say it, as a path into their fields. */
const fieldVerdicts: readonly { path: readonly string[]; value: RegExp }[] = [
  { path: ['X-Mailgun-Sflag'], value: yes },
  { path: ['X-Mailgun-SFlag'], value: yes },
  { path: ['receipt', 'spamVerdict', 'status'], value: /^fail$/i },
  { path: ['receipt', 'virusVerdict', 'status'], value: /^fail$/i },
  { path: ['spamVerdict', 'status'], value: /^fail$/i },
  { path: ['virusVerdict', 'status'], value: /^fail$/i },
  { path: ['spamVerdict'], value: /^fail$/i },
  { path: ['virusVerdict'], value: /^fail$/i },
  { path: ['is_spam'], value: yes },
  { path: ['isSpam'], value: yes },
]

/** SendGrid, Mailjet, Brevo, Mandrill, CloudMailin, Mailgun. */
const fieldScores: readonly (readonly string[])[] = [
  ['spam_score'],
  ['SpamAssassinScore'],
  ['SpamScore'],
  ['Spam', 'Score'],
  ['spam_report', 'score'],
  ['spamScore'],
  ['spamd', 'score'],
  ['envelope', 'spamd', 'score'],
  ['X-Mailgun-Sscore'],
  ['X-Mailgun-SScore'],
]

/** What says that an email is spam, as `name: value`, in its headers or subject; else null. */
export function spamMarkIn(headers: EmailHeaders | null, subject: string): string | null {
  const mark = findMark(headers, headerMarks)
  if (mark !== null) return mark
  const [inSubject] = subjectMark.exec(subject) ?? []
  if (inSubject !== undefined) return `subject: ${inSubject.trim()}`
  if ([...(headers?.keys() ?? [])].some((name) => verdicts.test(name))) return null
  for (const name of scoreHeaders)
    for (const value of headers?.get(name) ?? [])
      if (isHigh(scoreIn(value))) return `${name}: ${value.trim().slice(0, 40)}`
  return null
}

/** The same of the fields of a provider's post. */
export function spamMarkInFields(fields: Record<string, unknown>): string | null {
  let hasVerdict = false
  for (const { path, value } of fieldVerdicts) {
    const text = textAt(fields, path)
    if (text === null) continue
    hasVerdict = true
    if (value.test(text)) return `${path.join('.')}: ${text.slice(0, 40)}`
  }
  if (hasVerdict) return null
  for (const path of fieldScores) {
    const text = textAt(fields, path)
    if (text !== null && isHigh(scoreIn(text))) return `${path.join('.')}: ${text.slice(0, 40)}`
  }
  return null
}

const isHigh = (score: number | null) => score !== null && score >= leastScore

/** A number, or as many as there are stars or plus signs; null when it is neither. */
function scoreIn(value: string): number | null {
  const [number] = /^\s*[-+]?\d+(\.\d+)?(?=[\s(/]|$)/.exec(value) ?? []
  if (number !== undefined) return Number(number)
  const [signs] = /^\s*[*+]+(?=\s|$)/.exec(value) ?? []
  return signs === undefined ? null : signs.trim().length
}

/** The text, number or truth at a path; null for anything else. A form's objects are JSON texts. */
function textAt(fields: Record<string, unknown>, path: readonly string[]): string | null {
  let value: unknown = fields
  for (const name of path) {
    const box = typeof value === 'string' ? objectIn(value) : value
    if (typeof box !== 'object' || box === null || !Object.hasOwn(box, name)) return null
    value = (box as Record<string, unknown>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null
}

/** Characters of a JSON text that are parsed: reports of filters are short. */
const mostJson = 20_000

function objectIn(text: string): unknown {
  if (text.length > mostJson || !text.startsWith('{')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
