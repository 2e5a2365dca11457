import type { EmailHeaders } from '../message.js'
import { isHighScore, yes } from '../parse/providerSpam.js'
import { findMark, type HeaderMark } from './headerMarks.js'

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

/** Headers of filters that give only a score. */
const scoreHeaders = [
  'x-spam-score',
  'x-mailgun-sscore',
  'x-barracuda-spam-score',
  'x-spam-level',
  'x-spam-bar',
]

/** What mail servers put before the subject of spam. */
const subjectMark = /^\s*(\*{2,}\s*spam\s*\*{2,}|\[\s*spam\s*\]|\{\s*spam\s*\??\s*\})/i

/** What says that an email is spam, as `name: value`, in its headers or subject; else null. */
export function spamMarkIn(headers: EmailHeaders | null, subject: string): string | null {
  const mark = findMark(headers, headerMarks)
  if (mark !== null) return mark
  const [inSubject] = subjectMark.exec(subject) ?? []
  if (inSubject !== undefined) return `subject: ${inSubject.trim()}`
  if ([...(headers?.keys() ?? [])].some((name) => verdicts.test(name))) return null
  for (const name of scoreHeaders)
    for (const value of headers?.get(name) ?? [])
      if (isHighScore(value)) return `${name}: ${value.trim().slice(0, 40)}`
  return null
}
