import { decodeWords } from 'postal-mime'
import { parseId } from '../domain/system/limits.js'
import { cleanLine, cut } from '../domain/system/plainText.js'

/** Who a mail says it is from; either part may be missing. The address is in lower case. */
export type Sender = { address: string | null; name: string | null }

/** Characters of a subject or sender that are looked at: no mail program makes longer ones. */
const mostHeader = 2000

/** A mail header as people read it: one line, its encoded words decoded. */
export function headerText(header: string): string {
  return cleanLine(decodedWords(cleanLine(header.slice(0, mostHeader))))
}

/**
 * The incident the first `[INC-<id>]` of a subject names, in any case (spec §4 rule 5, decision 4.5); null without one,
 * and when that is no id. Mail programs fold inside the tag and pretty up its hyphen; people write 007.
 */
export function taggedIncident(subject: string): number | null {
  const digits = /\[\s*INC\s*[-‐‑–]\s*(\d+)\s*\]/i.exec(subject)?.[1]
  return parseId(digits?.replace(/^0+/, ''))
}

/** Whether a subject says that the mail answers another one: what it quotes is then known here. */
export function isReply(subject: string): boolean {
  return /^\s*(re|aw|antw|sv|vs|odp|ref|res|ynt|回复|回覆|答复)\s*(\[\d+\])?\s*[:：]/iu.test(subject)
}

/** Reads a From: `Name <a@b>`, `"Last, First" <a@b>`, `a@b (Name)` or `a@b`; of several, the last in brackets. */
export function senderOf(from: string): Sender {
  const text = headerText(from)
  const open = text.lastIndexOf('<')
  const address = addressIn(open < 0 ? text : text.slice(open + 1))
  const name = open < 0 ? (/\(([^()]*)\)/.exec(text)?.[1] ?? '') : text.slice(0, open)
  return { address, name: displayName(name) }
}

/** The first address in a text, in lower case; none is longer than 320 characters (RFC 3696). */
export function addressIn(text: string): string | null {
  const address = /[^\s@<>"(),;:]{1,512}@[^\s@<>"(),;:]{1,512}/.exec(text)?.[0].toLowerCase()
  return address === undefined || address.length > 320 ? null : address
}

/** A name to show to everybody; null when it is empty, or an address after all (decision 2.10). */
function displayName(name: string): string | null {
  const plain = cleanLine(name.replace(/\\(.)/g, '$1').replace(/[<>"]/g, ''))
  return plain === '' || plain.includes('@') ? null : cut(plain, 100)
}

/** `=?utf-8?Q?…?=` (RFC 2047) as text; a header with a character set nobody knows stays as it is, and shows that. */
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
