import { type Text, texts } from '../../../text/index.js'
import { folded } from './letters.js'

/**
 * What an email of ours is recognised by when another quotes it. `writeAbove`: its first line, in
 * every language. `closing`: its last line. `names`: our addresses and sender names, in lower case.
 */
export type QuoteMarks = { writeAbove: readonly string[]; closing: string; names: readonly string[] }

/**
 * A sentence of our emails, folded; between its `parts` stands what differs from email to email.
 * `isOpenBefore`, `isOpenAfter`: that stands at its beginning or end as well.
 */
export type OwnSentence = { parts: readonly string[]; isOpenBefore: boolean; isOpenAfter: boolean }

/**
 * Letters from which on a sentence is recognised in the middle of a text, and not only as a line.
 */
export const longSentence = 12

/** Stands for the values that the catalogue's sentences take. */
const gap = '\ue000'

function sentencesOf(value: unknown): OwnSentence[] {
  return textsIn(value).flatMap((text) => {
    const pieces = text.split(gap).map(folded)
    const parts = pieces.filter(Boolean)
    if (parts.length === 0) return []
    return [{ parts, isOpenBefore: pieces[0] === '', isOpenAfter: pieces.at(-1) === '' }]
  })
}

/** All texts of a part of the catalogue; functions are given the gap, or the number one. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function')
    return [...calledWith(value as () => unknown, gap), ...calledWith(value as () => unknown, 1)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function calledWith(sentence: (...args: never[]) => unknown, argument: unknown): string[] {
  try {
    return textsIn(sentence(...([argument, argument, argument] as never[])))
  } catch {
    // It takes something else, such as a list, and is no sentence of an email then.
    return []
  }
}

const all = Object.values(texts)

/** What emails of earlier versions said: people answer them long after. */
const formerSentences = [
  'You’re getting this because someone entered your address.',
  'Recibe este correo porque alguien escribió su dirección.',
]

/** Sentences that stand at the end of every email of ours, and in nobody else's. */
export const telltales = all.flatMap((t: Text) =>
  sentencesOf([
    t.emails.reply,
    t.emails.replyToOffice,
    t.emails.why,
    t.emails.assignment.why,
    t.emails.assignment.lead,
    t.emails.received.why,
    t.followEmails.why,
    t.frame.times,
  ]),
)

/** Sentences of our emails about no single report: a summary, or a list of reports. */
export const lists = all.flatMap((t: Text) =>
  sentencesOf([
    t.emails.lead.sweep,
    t.emails.lead.many,
    t.emails.why.followerOfMany,
    t.emails.digest.waitingTitle,
    t.emails.digest.nobodyWaits,
    t.emails.digest.maintenanceTitle,
    t.followEmails.why,
  ]),
)

/** Stands directly above the last line. */
export const footers = all.flatMap((t: Text) => sentencesOf(t.frame.times))

/** "Ada Novak wrote:" */
export const wroteLines = all.flatMap((t: Text) => sentencesOf(t.emails.wrote))

/** Every sentence of the catalogue that emails contain which can be answered. */
const presentTemplates = all.flatMap((t: Text) =>
  sentencesOf([
    t.emails.state,
    t.emails.lead,
    t.emails.assignment,
    t.emails.received,
    t.emails.writeAbove,
    t.emails.nameOnPage,
    t.emails.button,
    t.emails.cut,
    t.emails.replyToOffice,
    t.emails.reply,
    t.emails.why,
    t.emails.stop,
    t.followEmails.confirm,
    t.followEmails.lead,
    t.followEmails.why,
    t.followEmails.stop,
    t.accountEmails,
    t.frame.times,
    t.status,
    t.statusNews,
    t.notFixed.status,
    t.answers.closedStatus,
    t.severityMeaning,
    t.assetStatus,
    t.anonymous,
    t.theOffice,
    t.byEmail,
    t.protection.notAReport,
    t.protection.dismissedEntry,
    t.incident.yes,
    t.incident.no,
  ]),
)

/** Every sentence that such emails contain, or contained once. */
export const templates = presentTemplates.concat(sentencesOf(formerSentences))

/** What our emails write before a fact: "Where: …". */
export const labels = new Set(
  all
    .flatMap((t: Text) => [
      t.emails.survivor,
      t.emails.where,
      t.emails.severity,
      t.emails.status,
      t.emails.reported,
      t.emails.by,
      t.emails.assignment.building,
      t.answers.statusReason,
      t.answers.expectedBackAt,
      t.answers.dueOn,
    ])
    .map(folded),
)

/** Stored texts that are compared, and their characters. */
const mostTexts = 500
const mostCharacters = 400_000

/** Stored texts as whole texts, as lines and as sentences: people answer below any of them. */
export function storedSentences(stored: readonly string[]): Set<string> {
  const sentences = new Set<string>()
  let characters = 0
  for (const text of stored.slice(0, mostTexts)) {
    characters += text.length
    if (characters > mostCharacters) break
    const lines = text.split('\n')
    for (const part of [text, ...lines, ...lines.flatMap((line) => line.split(/(?<=[.!?。！？…])\s+/u))]) {
      const sentence = folded(part)
      if (sentence !== '') sentences.add(sentence)
    }
  }
  return sentences
}
