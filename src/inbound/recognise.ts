import { taggedAssignment } from '../vocabulary/email/assignmentTag.js'
import { limits } from '../vocabulary/limits.js'
import { cut } from '../vocabulary/plainText.js'
import type { EmailHeaders, EmailThread, ReadEmail, RecognisedEmail } from './message.js'
import type { OwnMail } from './parse/answeredMail.js'
import { mailKind, mailLanguage } from './parse/autoMail.js'
import { mailText } from './parse/emailText.js'
import { headerText } from './parse/headers.js'
import { answeredIncident, answersOwnMail, answersStaffEmail, refusedMail } from './parse/ourMessageIds.js'
import { readSender } from './parse/sender.js'
import { senderProof } from './parse/senderProof.js'
import { isReply, taggedIncident } from './parse/subject.js'

/**
 * How we know our own emails: our addresses, the host and key of our message ids, and the marks in
 * their text. `authserv`: the email server whose verdict on From is trusted. `locales`: languages
 * we write in.
 */
export type OurEmail = {
  addresses: readonly string[]
  host: string
  key: Buffer
  own: OwnMail
  authserv: string | null
  locales: readonly string[]
}

/** Step 2: what an email is. It asks nobody, and changes nothing. */
export async function recognise(email: ReadEmail, ours: OurEmail): Promise<RecognisedEmail> {
  const { headers } = email
  const sender = readSender(email.from, headers)
  const subject = headerText(email.subject)
  const proof = senderProof(headers, ours.authserv, sender.address)
  const kind = mailKind({ address: sender.address, subject, messageId: email.messageId, headers }, ours)
  const ignored = kind.as === 'ignored' ? kind.reason : null
  const thread = threadOf(subject, headers, ours)
  const text = await mailText(email, thread !== null || isReply(subject), ours.own)
  return {
    sender,
    proof,
    ignored,
    // A sender proven false is someone else, who must not get our emails.
    mayAnswer: kind.as === 'taken' && kind.mayAnswer && proof !== 'fail',
    language: mailLanguage(headers, ours.locales),
    thread,
    answersOurs: text.ours || answersOwnMail(headers, ours.host),
    isStray: taggedAssignment(ours.key, subject) !== null || answersStaffEmail(headers, ours),
    bouncedEmail: ignored === 'bounce' ? refusedMail(email, ours) : null,
    title: cut(subject, limits.title).trim(),
    words: {
      letter: cut(text.letter, limits.text),
      fresh: cut(text.fresh, limits.text),
      whole: text.letter,
      quotesOurs: text.ours,
    },
  }
}

/** The incident an email is about: by the tag in its subject, else by our email that it answers. */
function threadOf(subject: string, headers: EmailHeaders | null, ours: OurEmail): EmailThread | null {
  const assignment = taggedAssignment(ours.key, subject)
  if (assignment) return assignment.isOurs ? { incidentId: assignment.incidentId, isAssignment: true } : null
  const answered = answeredIncident(headers, ours)
  const tagged = taggedIncident(subject)
  return tagged === null ? answered : { incidentId: tagged, isAssignment: false }
}
