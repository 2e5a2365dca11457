import { linkPurposes } from './linkPurposes.js'
import { addressIn, asciiDomain } from './mailbox.js'

/** The host of our message and list ids: the public URL's, else that of the sender's address. */
export function emailHostOf(publicUrl: string | null, from: string): string {
  if (publicUrl) return new URL(publicUrl).hostname
  return asciiDomain(ownAddress(from)) || 'localhost'
}

/**
 * The address of a setting such as MAIL_FROM, `Name <a@b>` or `a@b`: what we send from is what we
 * recognise as ours. A name that a From header could not have does no harm in a setting.
 */
export function ownAddress(from: string): string {
  const plain = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim()
  const address = addressIn(from)
  return address === null || address === plain.toLowerCase() ? plain : address
}

/** Characters before the @ of our message ids: 20 bytes in base64url. */
export const messageNameLength = 27

const oneOfOurs = new RegExp(`^<?([\\w-]{${messageNameLength}}|incident-\\d+)@([^@<>\\s]+?)>?$`)

/** Whether this Message-ID is ours: the email is one of ours, come back (decision 6.12). */
export function isOwnMessageId(messageId: string, host: string): boolean {
  return oneOfOurs.exec(messageId.trim())?.[2]?.toLowerCase() === host.toLowerCase()
}

/** Id and class, in our HTML emails, of the line to write above; the id also ends in a token. */
export const writeAboveMark = 'caretaker-write-above'

const pages = Object.values(linkPurposes).map(({ page }) => page)
const ownLink = new RegExp(`(?:${pages.join('|')})/.`, 'i')

/** Removes our links that act for anyone who opens them: a quoted one would be published. */
export function withoutOwnLinks(text: string): string {
  // Word by word: a single pattern would start again at every character and take quadratic time.
  return text.replace(/[^\s<>()]+/g, (word) => (ownLink.test(word) ? '' : word)).trim()
}
