import { isReply, isReplyPrefix } from '../../vocabulary/email/subjectPrefixes.js'
import { foldedSubject, withoutSigns } from './foldedSubject.js'
import { automaticReplyPhrases, calendarAnswerPhrases, deliveryFailurePhrases } from './subjectPhrases.js'

/** Characters of a subject that are read; no mark stands further in. */
const mostSubject = 500

/** What a mail server puts before a subject, such as "[EXTERNAL]"; also the number of a report. */
const label = /^\[[^\]]{1,40}\] ?/

/**
 * Whether a program named the email an automatic reply in its subject: a phrase of the table alone,
 * before a colon, in brackets in front, or before the subject that it answers ("Out of office Re:
 * …"). An answer or a forwarded email that has the phrase further in is a person's.
 */
export function isAutomaticSubject(subject: string): boolean {
  const plain = foldedSubject(subject.slice(0, mostSubject))
  return (
    notesReply.test(plain) ||
    sieveReply.test(plain) ||
    isMarked(plain, automaticReplyPhrases, { inAnswers: true })
  )
}

/** Whether a mail server says in the subject that an email could not be delivered. */
export function isUndeliveredSubject(subject: string): boolean {
  return isMarked(foldedSubject(subject.slice(0, mostSubject)), deliveryFailurePhrases)
}

/** Whether the subject begins like an answer to an invitation. */
export function isCalendarSubject(subject: string): boolean {
  const plain = foldedSubject(subject.slice(0, mostSubject))
  return plain.includes(':') && hasBeforeColon(plain, calendarAnswerPhrases)
}

/**
 * Whether the subject says that the email is an answer: "Re:" or its like, or a report's number.
 */
export function isAnswerSubject(subject: string): boolean {
  const plain = foldedSubject(subject.slice(0, mostSubject))
  return /\[ ?inc ?\d/.test(plain) || isReply(plain)
}

/** HCL Notes: "AUTO: Katherine Smith is out of the office (returning 02/23/2009)". */
const notesReply = /^auto: .{1,100} (is|am|will be) (currently )?(out of|away from) (the )?office\b/
/** RFC 5230, 5.3: "Auto: " and the subject answered; alone it is a car in many languages. */
const sieveReply = /^auto: ?(re ?:|\[inc ?\d)/

function isMarked(plain: string, phrases: ReadonlySet<string>, { inAnswers = false } = {}): boolean {
  let rest = plain
  for (let i = 0; i < 4; i += 1) {
    if (phrases.has(withoutSigns(rest)) || hasBeforeColon(rest, phrases)) return true
    const [bracket] = label.exec(rest) ?? []
    if (bracket === undefined) break
    if (phrases.has(bracket.trim().slice(1, -1).trim())) return true
    rest = rest.slice(bracket.length)
  }
  // Some programs put "Re:" before a subject that says nothing else.
  const [word = '', ...more] = rest.split(':')
  return inAnswers && isReplyPrefix(word) && phrases.has(withoutSigns(more.join(':')))
}

/**
 * Whether one of the phrases stands before the first colon, slash or bar, alone or with the "Re" of
 * the subject answered.
 */
function hasBeforeColon(text: string, phrases: ReadonlySet<string>): boolean {
  const [before = ''] = /^[^:/|]*(?=[:/|])/.exec(text) ?? []
  const words = before.trim().split(' ')
  if (phrases.has(words.join(' '))) return true
  return words.length > 1 && isReplyPrefix(words.at(-1)!) && phrases.has(words.slice(0, -1).join(' '))
}
