import { withoutContactDetails } from '../../vocabulary/email/contactDetails.js'

/** What decides how much of an email's words everyone may read. */
export type PublicReading = {
  /** The sender is proven to be a member of staff. */
  isProvenStaff: boolean
  senderName: string | null
  /** A report that it may belong to is anonymous, or was merged with one that is. */
  somebodyHides: boolean
  /** Stands where something was taken out. */
  removed: string
}

/**
 * The words of an email as everyone reads them, its subject or its text: without email addresses
 * and telephone numbers, unless the office gives its own (decision 9.7). Where someone is
 * anonymous, whoever writes, the sender's name goes as well (decision 7.5).
 */
export function publicWords(words: string, reading: PublicReading): string {
  const { isProvenStaff, senderName, somebodyHides, removed } = reading
  if (isProvenStaff && !somebodyHides) return words
  return withoutContactDetails(words, somebodyHides ? senderName : null, removed)
}
