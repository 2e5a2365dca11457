import { taggedAssignment } from '../vocabulary/email/assignmentTag.js'
import { addressIn } from '../vocabulary/email/mailbox.js'
import { limits } from '../vocabulary/limits.js'
import { cut, hasVisible, withoutDirections } from '../vocabulary/plainText.js'
import { kindOf } from './kinds/kindOf.js'
import type { EmailHeaders, EmailThread, ReadEmail, RecognisedEmail } from './message.js'
import { bouncedMessageIn } from './parse/deliveryReport.js'
import { emailLanguage } from './parse/emailLanguage.js'
import { headerText } from './parse/headers.js'
import { answeredIncident, answersOurs, namesNoIncident } from './parse/ourMessageIds.js'
import { readSender } from './parse/sender.js'
import { senderProof } from './parse/senderProof.js'
import { taggedIncident } from './parse/subject.js'
import type { QuoteMarks } from './words/ourEmail/ownSentences.js'
import { reportsNamedIn } from './words/reportsNamed.js'
import { separateWords } from './words/separateWords.js'

/**
 * How we recognise our own emails: our addresses, the host and key of our message ids, and the
 * marks of a quoted one. `authserv`: the email server whose verdict on From is trusted. `locales`:
 * languages we write in.
 */
export type RecognitionSettings = {
  addresses: readonly string[]
  host: string
  key: Buffer
  quoteMarks: QuoteMarks
  authserv: string | null
  locales: readonly string[]
  /** What our emails about these reports may quote: titles, texts, places and names. */
  storedTexts: (incidentIds: readonly number[]) => Promise<readonly string[]>
}

/** Step 2: what an email is. It asks for stored texts alone, and changes nothing. */
export async function recognise(email: ReadEmail, settings: RecognitionSettings): Promise<RecognisedEmail> {
  const { headers } = email
  const sender = readSender(email.from, headers)
  const subject = headerText(email.subject)
  const proof = senderProof(headers, settings.authserv, sender.address)
  const { reason, mark, mayAnswer } = kindOf({ email, address: sender.address, subject }, settings)
  const thread = threadOf(subject, headers, settings)
  const { text, html, attachedEmails } = email
  const incidentIds = reportsNamedIn(email, thread?.incidentId ?? null)
  const words = await separateWords(
    { subject, text, html, attachedEmails },
    {
      isAnswer: thread !== null,
      quoteMarks: settings.quoteMarks,
      storedTexts: await settings.storedTexts(incidentIds),
    },
  )
  return {
    sender,
    proof,
    reason,
    mark,
    // A sender proven false is someone else, who must not get our emails.
    mayAnswer: mayAnswer && proof !== 'fail',
    language: emailLanguage(headers, settings.locales),
    thread,
    answersOurs: words.quotesOurs || answersOurs(headers, settings.host),
    // An assignment's tag that we did not make names no incident either.
    answersWithoutIncident:
      taggedAssignment(settings.key, subject) !== null || namesNoIncident(headers, settings),
    bouncedMessageName: reason === 'bounce' ? bouncedMessageIn(email, settings) : null,
    replyTo: replyToIn(headers, sender.address),
    subject,
    title: titleOf(subject),
    words: { ...words, newWords: cut(words.newWords, limits.text) },
  }
}

/** The title of a report made of the email; empty for a subject of which nothing is seen. */
function titleOf(subject: string): string {
  const title = withoutDirections(cut(subject, limits.title)).trim()
  return hasVisible(title) ? title : ''
}

/** Characters of a Reply-To that staff see. */
const mostReplyTo = 320

/** Where the writer wants answers, as a contact form says it; null when it is the sender. */
function replyToIn(headers: EmailHeaders | null, address: string | null): string | null {
  const [replyTo = ''] = headers?.get('reply-to') ?? []
  const text = headerText(replyTo)
  return text === '' || addressIn(text) === address ? null : cut(text, mostReplyTo)
}

/**
 * The incident an email is about: by the tag in its subject, else by our email that it answers. An
 * assignment's tag that we did not make answers nothing, whatever the headers say.
 */
function threadOf(
  subject: string,
  headers: EmailHeaders | null,
  settings: RecognitionSettings,
): EmailThread | null {
  const assignment = taggedAssignment(settings.key, subject)
  if (assignment) return assignment.isOurs ? { incidentId: assignment.incidentId, isAssignment: true } : null
  const answered = answeredIncident(headers, settings)
  const tagged = taggedIncident(subject)
  return tagged === null ? answered : { incidentId: tagged, isAssignment: false }
}
