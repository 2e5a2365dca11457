import type { Change } from '../../platform/db/change.js'
import { insertRow } from '../../platform/db/insertRow.js'
import { withoutOwnLinks } from '../../vocabulary/email/ownEmail.js'
import { withoutPrefixes } from '../../vocabulary/email/subjectPrefixes.js'
import { limits } from '../../vocabulary/limits.js'
import { cut } from '../../vocabulary/plainText.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'

/** What an email became: a report, an update of its timeline, or a staff note. */
export type EmailTarget = { incidentId: number } | { updateId: number } | { noteId: number }

/**
 * All that an email says. `subject`: as it came, in one line. `text`: everything in it, cleaned.
 * `receivedAt`: without it, the time of the change.
 */
export type WholeEmail = { subject: string; text: string; receivedAt?: Date }

/** What everyone, or of a note staff, read of an email; the title is its report's. */
type VisibleWords = { incidentId: number; title: string; text: string }

/**
 * So much of an email's text as is kept: 100,000 characters or, where most of them take three bytes
 * and more, half as many. Links of ours that act for whom we wrote to are taken out: no one else
 * may press them, not even staff.
 */
export function storableText(text: string): string {
  const start = cut(withoutOwnLinks(text), limits.emailText)
  const isLong = Buffer.byteLength(start) > 2 * limits.emailText
  return isLong ? cut(start, limits.emailText / 2) : start
}

/**
 * Keeps the whole of an email for staff, beside what it became (decision 9.1). Keeps nothing
 * where all its words are shown already.
 */
export async function keepWholeEmail(
  c: Change,
  target: EmailTarget,
  { subject: wholeSubject, text: wholeText, receivedAt = c.now }: WholeEmail,
): Promise<void> {
  const subject = cut(wholeSubject, limits.emailSubject)
  const text = storableText(wholeText)
  const visible = await visibleWords(c, target)
  if (!hasHiddenWords({ subject, text }, visible)) return
  await insertRow(c, 'whole_emails', {
    incidentId: visible.incidentId,
    updateId: 'updateId' in target ? target.updateId : null,
    noteId: 'noteId' in target ? target.noteId : null,
    subject,
    text,
    receivedAt,
  })
}

async function visibleWords(c: Change, target: EmailTarget): Promise<VisibleWords> {
  if ('incidentId' in target) {
    const { id, title, description } = orNotFound(await Incident.query(c.trx).findById(target.incidentId))
    return { incidentId: id, title, text: description }
  }
  const [sql, id] = visibleWordsOf(target)
  const [row] = await c.query<VisibleWords>(sql, [id])
  return row!
}

/** SQL of what is read of an update or a note, with its id. */
function visibleWordsOf(target: Exclude<EmailTarget, { incidentId: number }>): [sql: string, id: number] {
  if ('updateId' in target)
    return [
      `select i.id as incident_id, i.title, p.body as text
       from incident_updates p join incidents i on i.id = p.incident_id where p.id = $1`,
      target.updateId,
    ]
  return [
    `select i.id as incident_id, i.title, n.body as text
     from internal_notes n join incidents i on i.id = n.incident_id where n.id = $1`,
    target.noteId,
  ]
}

/** Whether an email has words that are not shown where it went, or has them in another order. */
export function hasHiddenWords(
  email: { subject: string; text: string },
  visible: { title: string; text: string },
): boolean {
  return !holds(visible.text, email.text) || !holds(visible.title, topicOf(email.subject))
}

/** Whether a text has these words side by side, however its lines are broken. */
function holds(text: string, words: string): boolean {
  return ` ${spaced(text)} `.includes(spaced(words) === '' ? '' : ` ${spaced(words)} `)
}

const spaced = (text: string) => text.split(/\s+/u).filter(Boolean).join(' ')

const tag = /^\s*\[\s*INC\b[^\]]*\]/i

/** A subject without "Re:" and its like, and without our tag: "Lift" of "Re: [INC-12] AW: Lift". */
function topicOf(subject: string): string {
  let topic = subject
  for (;;) {
    const rest = withoutPrefixes(topic).replace(tag, '')
    if (rest === topic) return topic
    topic = rest
  }
}
