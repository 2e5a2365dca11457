import { decodeWords } from 'postal-mime'
import { parseId } from '../../vocabulary/limits.js'
import { cleanLine, cut } from '../../vocabulary/plainText.js'

/** The From of a mail; either part may be null. The address is in lower case. */
export type EmailSender = { address: string | null; name: string | null }

/** Characters of a subject or sender that are read; mail programs make no longer ones. */
const mostHeader = 2000

/** A mail header as plain text: one line, encoded words decoded. */
export function headerText(header: string): string {
  return cleanLine(decodedWords(cleanLine(header.slice(0, mostHeader))))
}

/**
 * The id in the first `[INC-<id>]` of a subject (spec §4 rule 5, decision 4.5), in any case, with
 * line folds, other dashes or leading zeros; null without a valid one.
 */
export function taggedIncident(subject: string): number | null {
  const digits = /\[\s*INC\s*[-‐‑–]\s*(\d+)\s*\]/i.exec(subject)?.[1]
  return parseId(digits?.replace(/^0+/, ''))
}

/** Whether the subject marks the mail as an answer: then the mail it quotes is known here. */
export function isReply(subject: string): boolean {
  return /^\s*(re|aw|antw|sv|vs|odp|ref|res|ynt|回复|回覆|答复)\s*(\[\d+\])?\s*[:：]/iu.test(subject)
}

/**
 * Reads From: `Name <a@b>`, `"Last, First" <a@b>`, `a@b (Name)` or `a@b`; with several, the last in
 * angle brackets.
 */
export function senderOf(from: string): EmailSender {
  const text = headerText(from)
  const open = text.lastIndexOf('<')
  const address = mailboxIn(open < 0 ? text : text.slice(open + 1))
  const name = open < 0 ? (/\(([^()]*)\)/.exec(text)?.[1] ?? '') : text.slice(0, open)
  return { address, name: displayName(name) }
}

/** The first address in a text, in lower case; null above 320 characters (RFC 3696). */
export function mailboxIn(text: string): string | null {
  const address = /[^\s@<>"(),;:]{1,512}@[^\s@<>"(),;:]{1,512}/.exec(text)?.[0].toLowerCase()
  return address === undefined || address.length > 320 ? null : address
}

/** A public display name; null when it is empty or an address (decision 2.10). */
function displayName(name: string): string | null {
  const plain = cleanLine(name.replace(/\\(.)/g, '$1').replace(/[<>"]/g, ''))
  return plain === '' || plain.includes('@') ? null : cut(plain, 100)
}

/** Decodes `=?utf-8?Q?…?=` (RFC 2047); a header with an unknown character set stays encoded. */
function decodedWords(header: string): string {
  const sets = [...header.matchAll(/=\?([^?*\s]+)(?:\*[^?\s]*)?\?[BQ]\?/gi)].map(([, name]) => name!)
  return sets.every(isKnown) ? decodeWords(header) : header
}

function isKnown(characterSet: string): boolean {
  try {
    new TextDecoder(characterSet)
    return true
  } catch {
    return false
  }
}
