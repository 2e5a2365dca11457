import type { WholeEmail } from '../incidents/acts/keepWholeEmail.js'
import type { StoredPhoto } from '../incidents/model/photos/photos.js'
import type { Locale, Text } from '../text/index.js'
import type { Role } from '../vocabulary/people/permissions.js'
import type { KindReason } from './reasons.js'
import type { SenderStanding } from './senderStanding.js'

/**
 * What an email is on its way in, step by step: what was sent (`read.ts`), what it is
 * (`recognise.ts`), what becomes of it (`decide.ts`). Every value can be printed.
 */

/** The headers of an email, by lower-case name; several values in the order they stand in. */
export type EmailHeaders = ReadonlyMap<string, readonly string[]>

/**
 * A file of an email, as it was sent. `contentBase64`: also a `data:` URL; empty when it was not
 * text. `type`: the media type it claims, in lower case. `isInline`: the HTML shows it by its
 * content id, as it does the logos of a signature. `isOfAttached`: it belongs to an email that is
 * attached to this one, and says nothing about what kind of email this is.
 */
export type EmailFile = {
  filename: string
  contentBase64: string
  type: string | null
  contentId: string | null
  isInline: boolean
  isOfAttached: boolean
}

/**
 * An email that is attached to another; its own files stand among those of the email. `messageId`:
 * null without one.
 */
export type AttachedEmail = {
  from: string
  subject: string
  text: string
  html: string
  messageId: string | null
}

/**
 * Step 1, `read`: an email as it was sent, of any provider. `from`, `subject`: as they stand there.
 * `files`: attachments before pictures that the HTML shows inline (decision 9.5).
 * `calendarMethod`: of its `text/calendar` part, in lower case. `spamMark`: the provider's form or
 * a header says that it is spam, and this is what says so. Both are read here because later steps
 * have no fields of the provider.
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
 * The words of an email. `newWords`: what its writer added, without quotations of ours, history and
 * signature (decision 9.1). `whole`: everything, cleaned, for staff. Contact details stand in both.
 * `quotesOurs`: an email of ours is quoted.
 */
export type EmailWords = { newWords: string; whole: string; quotesOurs: boolean }

/**
 * A file of an email that was not taken, and why. `winmail`: Outlook's own format. `later`: it may
 * work another time. `refused`: why is not known any more.
 */
export type FileNotTaken = { name: string; why: keyof Text['inboundEmail']['whyNotTaken'] }

/**
 * The incident that an email is about; `isAssignment`: it answers what an assignee outside the
 * building was sent, which is for staff alone (decision 7.5).
 */
export type EmailThread = { incidentId: number; isAssignment: boolean }

/** Whether the sender's server vouches for From (decision 7.3). */
export type SenderProof = 'pass' | 'fail' | 'none'

/** Step 2, `recognise`: what an email is. */
export type RecognisedEmail = {
  sender: EmailSender
  proof: SenderProof
  /** Why it is ignored, or held as spam; null for the email of a person. */
  reason: KindReason | null
  /** What says its kind: a header, or a part of the subject. Null for the email of a person. */
  mark: string | null
  /** Its sender may be written to. */
  mayAnswer: boolean
  /** Where its writer wants answers, when that is not the sender; for staff alone. */
  replyTo: string | null
  language: string | null
  thread: EmailThread | null
  /** It answers an email of ours. */
  answersOurs: boolean
  /** It answers an email of ours without an incident, which may say what only staff read. */
  answersWithoutIncident: boolean
  /** The name of the message of ours that could not be delivered. */
  bouncedMessageName: string | null
  /** As it came, in one line. */
  subject: string
  /** The subject, cut to what a report may have. */
  title: string
  words: EmailWords
}

/** An email as it is taken in, at once or after the office has sorted it. */
export type EmailRecord = {
  sender: EmailSender
  /** The account of a proven sender, whose name is shown. */
  user: { id: number; role?: Role } | null
  /** The account with the sender's address, proven or not. */
  accountId: number | null
  /** Whether the sender's server vouches for the address (decision 7.3). */
  standing: SenderStanding
  /** The sender may be written to. */
  mayAnswer: boolean
  /** The email's language, if known. */
  locale: string | null
  /** It answers an email of ours. */
  answersOurs: boolean
  /** What says its kind, for staff; null for the email of a person. */
  mark: string | null
  title: string
  /** What its writer added: the description of a new incident, or a comment on one. */
  newWords: string
  /** All that it says, for staff (decision 9.1). */
  whole: WholeEmail
}

/** The stored photos of an email, and the files that were not taken. */
export type EmailPhotos = { stored: readonly StoredPhoto[]; notTaken: readonly FileNotTaken[] }

/** Text for emails without their own, in the property's language; only staff see file names. */
export type InboundText = Text['inboundEmail'] & { locale: Locale }
