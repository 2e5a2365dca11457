import { objectInJson } from './objectInJson.js'

/** What filters write for yes. */
export const yes = /^\s*(yes|true|1)\b/i

/** SpamAssassin’s usual limit: of a filter that gives only a score, this and more is a mark. */
const leastScore = 5

/** Fields of providers' posts that say that an email is spam, as a path into the post. */
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

/** What in a provider's post says that an email is spam, as `field: value`; else null. */
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
    if (text !== null && isHighScore(text)) return `${path.join('.')}: ${text.slice(0, 40)}`
  }
  return null
}

/** Whether a filter's score is so high that it marks an email as spam. */
export function isHighScore(value: string): boolean {
  const score = scoreIn(value)
  return score !== null && score >= leastScore
}

/** A number, or as many as there are stars or plus signs; null when it is neither. */
function scoreIn(value: string): number | null {
  const [number] = /^\s*[-+]?\d+(\.\d+)?(?=[\s(/]|$)/.exec(value) ?? []
  if (number !== undefined) return Number(number)
  const [signs] = /^\s*[*+]+(?=\s|$)/.exec(value) ?? []
  return signs === undefined ? null : signs.trim().length
}

/** Characters of a JSON text that are parsed: reports of filters are short. */
const mostJson = 20_000

/** The text, number or truth at a path; null for anything else. A form's objects are JSON texts. */
function textAt(fields: Record<string, unknown>, path: readonly string[]): string | null {
  let value: unknown = fields
  for (const name of path) {
    const box = typeof value === 'string' ? objectInJson(value, mostJson) : value
    if (typeof box !== 'object' || box === null || !Object.hasOwn(box, name)) return null
    value = (box as Record<string, unknown>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null
}
