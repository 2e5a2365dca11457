import { automatic, calendarAnswers, foldedSubject, undelivered, withoutSigns } from './subjectPhrases.js'

/** Characters of a subject that are read; no mark stands further in. */
const mostSubject = 500

/** "Re:" and its like in other languages, folded. */
const answerWord = /^(re|aw|antw|sv|vs|odp|ref|res|rif|r|ynt|va|απ|回复|回覆|答复)$/u

/** What a mail server puts before a subject, such as "[EXTERNAL]"; also the number of a report. */
const label = /^\[[^\]]{1,40}\] ?/

/**
 * Whether a program named the email an automatic reply in its subject: a phrase of the table alone,
 * before a colon, in brackets in front, or before the subject that it answers ("Out of office Re: …").
 * An answer or a forwarded email that has the phrase further in is a person's.
 */
export function isAutomaticSubject(subject: string): boolean {
  const plain = foldedSubject(subject.slice(0, mostSubject))
  return notesReply.test(plain) || sieveReply.test(plain) || isMarked(plain, automatic, { inAnswers: true })
}

/** Whether a mail server says in the subject that an email could not be delivered. */
export function isUndeliveredSubject(subject: string): boolean {
  return isMarked(foldedSubject(subject.slice(0, mostSubject)), undelivered)
}

/** Whether the subject begins like an answer to an invitation. */
export function isCalendarSubject(subject: string): boolean {
  const plain = foldedSubject(subject.slice(0, mostSubject))
  return plain.includes(':') && calendarAnswers.has(beforeColon(plain))
}

/** Whether the subject says that the email is an answer: "Re:" or its like, or a report's number. */
export function isAnswerSubject(subject: string): boolean {
  const plain = foldedSubject(subject.slice(0, mostSubject))
  return /\[ ?inc ?\d/.test(plain) || answerWord.test(plain.split(/ ?(\[\d+\])? ?:/, 1)[0]!)
}

/** HCL Notes: "AUTO: Katherine Smith is out of the office (returning 02/23/2009)". */
const notesReply = /^auto: .{1,100} (is|am|will be) (currently )?(out of|away from) (the )?office\b/
/** RFC 5230, 5.3: "Auto: " and the subject answered; alone it is a car in many languages. */
const sieveReply = /^auto: ?(re ?:|\[inc ?\d)/

function isMarked(plain: string, phrases: ReadonlySet<string>, { inAnswers = false } = {}): boolean {
  let rest = plain
  for (let i = 0; i < 4; i += 1) {
    if (phrases.has(withoutSigns(rest)) || phrases.has(beforeColon(rest))) return true
    const [bracket] = label.exec(rest) ?? []
    if (bracket === undefined) break
    if (phrases.has(bracket.trim().slice(1, -1).trim())) return true
    rest = rest.slice(bracket.length)
  }
  // Some programs put "Re:" before a subject that says nothing else.
  const [word = '', ...more] = rest.split(':')
  return inAnswers && answerWord.test(word.trim()) && phrases.has(withoutSigns(more.join(':')))
}

/** What stands before the first colon, slash or bar, without the "Re" of the subject answered. */
function beforeColon(text: string): string {
  const [before = ''] = /^[^:/|]*(?=[:/|])/.exec(text) ?? []
  const words = before.trim().split(' ')
  return (words.length > 1 && answerWord.test(words.at(-1)!) ? words.slice(0, -1) : words).join(' ')
}
