/**
 * What an email is on its way in, step by step: what was sent (`read.ts`), what it is
 * (`recognise.ts`), what becomes of it (`decide.ts`). Every value can be printed.
 */

/** The headers of an email, by lower-case name; several values in the order they stand in. */
export type EmailHeaders = ReadonlyMap<string, readonly string[]>

/**
 * A file of an email, as it was sent. `contentBase64`: also a `data:` URL; empty when it was not
 * text. `type`: the media type it claims, in lower case. `isInline`: the HTML shows it by its
 * content id, as it does the logos of a signature.
 */
export type EmailFile = {
  filename: string
  contentBase64: string
  type: string | null
  contentId: string | null
  isInline: boolean
}

/** An email that is attached to another; its own files stand among those of the email. */
export type AttachedEmail = { from: string; subject: string; text: string; html: string }

/**
 * Step 1, `read`: an email as it was sent, of any provider. `from`, `subject`: as they stand there.
 * `files`: attachments before pictures that the HTML shows inline (decision 9.5).
 * `calendarMethod`: of its `text/calendar` part, in lower case. `spamMark`: the provider's form or
 * a header says that it is spam, and this is what says so.
 */
export type ReadEmail = {
  from: string
  subject: string
  text: string
  html: string
  files: readonly EmailFile[]
  attachedEmails: readonly AttachedEmail[]
  messageId: string | null
  headers: EmailHeaders | null
  calendarMethod: string | null
  spamMark: string | null
}

/** Who an email is from; either may be null. The address is in lower case (decision 9.3). */
export type EmailSender = { address: string | null; name: string | null }

/**
 * What an email is (decisions 6.12, 9.4). `ours`: one of our own came back. `machine`: an automatic
 * reply. `calendar`: an answer to an invitation, or a reaction. `spam`: marked so by the provider.
 */
export type EmailKind = 'person' | 'machine' | 'bounce' | 'calendar' | 'spam' | 'ours'

/**
 * The words of an email. `fresh`: what its writer added, without quotations of ours, history and
 * signature (decision 9.1). `letter`: the same, for a new report. `whole`: everything, cleaned, for
 * staff. Contact details stand in all of them. `quotesOurs`: an email of ours is quoted.
 */
export type EmailWords = { letter: string; fresh: string; whole: string; quotesOurs: boolean }

/** A file of an email that was not taken, and why. `later`: it may work another time. */
export type FileNotTaken = {
  name: string
  why: 'not_a_picture' | 'unreadable' | 'too_large' | 'too_many' | 'later'
}
