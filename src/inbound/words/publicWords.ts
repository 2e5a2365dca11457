import { withoutContactDetails } from '../../vocabulary/email/contactDetails.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import type { EmailRecord, InboundText } from '../message.js'
import { isProven } from '../senderStanding.js'

/** What decides how much of an email's words everyone may read. */
export type PublicReading = {
  /** The sender is proven to be a member of staff. */
  isProvenStaff: boolean
  senderName: string | null
  /** A report that it may belong to is anonymous, or was merged with one that is. */
  hasHiddenReporter: boolean
  /** Stands where something was taken out. */
  removed: string
}

/** How much of this email's words everyone may read. */
export function publicReading(
  { sender, user, standing }: EmailRecord,
  hasHiddenReporter: boolean,
  { removed }: InboundText,
): PublicReading {
  const isProvenStaff = isProven(standing) && user?.role !== undefined && isStaff(user.role)
  return { isProvenStaff, senderName: sender.name, hasHiddenReporter, removed }
}

/**
 * The words of an email as everyone reads them, its subject or its text: without email addresses
 * and telephone numbers, unless the office gives its own (decision 9.7). Where someone is
 * anonymous, whoever writes, the sender's name goes as well (decision 7.5).
 */
export function publicWords(words: string, reading: PublicReading): string {
  const { isProvenStaff, senderName, hasHiddenReporter, removed } = reading
  if (isProvenStaff && !hasHiddenReporter) return words
  return withoutContactDetails(words, hasHiddenReporter ? senderName : null, removed)
}
