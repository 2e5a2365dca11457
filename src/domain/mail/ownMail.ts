/** The host our message ids and list ids are of: the one people know us by, else that of the sender's address. */
export function mailHostOf(publicUrl: string | null, from: string): string {
  if (publicUrl) return new URL(publicUrl).hostname
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
}

/** Characters before the @ of our message ids: 20 bytes and a bit in base64url. */
export const messageNameLength = 27

const oneOfOurs = new RegExp(`^<?([\\w-]{${messageNameLength}}|incident-\\d+)@([^@<>\\s]+?)>?$`)

/** Whether a Message-ID is one that we write: a mail that carries it left here and came back (decision 6.12). */
export function isOwnMessageId(messageId: string, host: string): boolean {
  return oneOfOurs.exec(messageId.trim())?.[2]?.toLowerCase() === host.toLowerCase()
}

/** The id and class, in the HTML of our mails, of the line that answers stand above; each mail's id ends in its own token. */
export const writeAboveMark = 'caretaker-write-above'

const ownLink = /\/(unsubscribe|invitation|reset-password)\/./i

/** A text without links of ours that act for whoever clicks them: an answer that quotes one would give it to everybody. */
export function withoutOwnLinks(text: string): string {
  // Word by word: a pattern that begins with any characters tries them again from each of them.
  return text.replace(/[^\s<>()]+/g, (word) => (ownLink.test(word) ? '' : word)).trim()
}
