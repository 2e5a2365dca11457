import type { StoredPhoto } from '../incidents/photos/photos.js'
import type { Locale, Text } from '../text/index.js'
import type { Role } from '../vocabulary/people/permissions.js'
import type { MailHeaders } from './parse/emailText.js'
import type { EmailSender } from './parse/sender.js'

/** An email as the provider posts it (spec §2, decision 4.5). Nothing in it is cleaned yet. */
export type InboundMail = {
  from: string
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
  messageId: string | null
  headers: MailHeaders | null
}

/** An attachment of an email, also as a `data:` URL; empty when it was not text. */
export type Attachment = { filename: string; contentBase64: string }

/** Attachments that became no photos: `refused` never can, `later` failed for now. */
export type Skipped = { refused: string[]; later: string[] }

/** Text for emails without their own, in the property's language; only staff see file names. */
export type MailWords = Text['inboundMail'] & { locale: Locale }

/** A cleaned email, as it is taken in or held. */
export type Letter = {
  sender: EmailSender
  /** The account of a proven sender, whose name is shown. */
  user: { id: number; role?: Role } | null
  /** The account with the sender's address, proven or not. */
  accountId: number | null
  /** The sender's server vouches for the address (decision 7.3). */
  isProven: boolean
  /** The sender may be written to. */
  mayAnswer: boolean
  /** The email's language, if known. */
  locale: string | null
  /** It answers an email of ours. */
  answersOurs: boolean
  title: string
  description: string
  /** Without quotations, for the timeline of an incident. */
  newWords: string
}

/** An email that has just arrived, with what it answers. */
export type InboundMessage = Letter & {
  /** From its subject, else from the email of ours that it answers. */
  incidentId: number | null
  /** The email that it answers went to an assignee outside the building. */
  isAssignment: boolean
  /** It answers an email of ours about no incident, which may say what only staff read. */
  isStray: boolean
}

/** The stored photos of an email, and the attachments that were skipped. */
export type MailPhotos = { stored: readonly StoredPhoto[]; skipped: Skipped }
