import { domainToASCII } from 'node:url'
import { decodeWords } from './encodedWords.js'

/** The one mailbox of a header: `address` in lower case, `name` as it was written, maybe empty. */
export type Mailbox = { address: string; name: string }

/** Characters of a header that are read; mail programs make no longer ones. */
const mostHeader = 2000
/** Characters of an address (RFC 3696). */
const mostAddress = 320

const localPart = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u
const domainName = /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u

/**
 * The only mailbox that a From header names: `Name <a@b>`, `"Last, First" <a@b>`, `a@b (Name)` or
 * `a@b`. Null for anything that another program could read as another address, or as several: two
 * mailboxes, a group, a route, an `@` in a comment or in a name without quotation marks, control
 * characters, letters that only look like ASCII (decision 9.3).
 */
export function readMailbox(header: string): Mailbox | null {
  const text = header.replace(/\r?\n(?=[ \t])/g, '').trim()
  if (text.length > mostHeader || /[^\P{Cc}\t]/u.test(text)) return null
  const parts = partsOf(text)
  if (!parts || parts.comments.some(hasAt)) return null
  const { bare, quoted, angle, comments } = parts
  if (angle === null) {
    const address = quoted.length === 0 ? readAddress(bare.trim()) : null
    return address === null ? null : { address, name: comments[0] ?? '' }
  }
  // A comma is no part of a name, but providers decode `=?…?=` and write `Last, First <a@b>`.
  const isList = bare.includes(',')
  if (bare.normalize('NFKC').includes('@') || (isList && quoted.some(hasAt))) return null
  const address = readAddress(angle.trim())
  return address === null ? null : { address, name: parts.name.trim() }
}

/** The address of a header, or of a setting of ours such as `Name <a@b>`. */
export const addressIn = (header: string): string | null => readMailbox(header)?.address ?? null

/** The address in lower case; null when it is none, or when its domain is a number or invalid. */
function readAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || !localPart.test(local) || !domainName.test(domain)) return null
  // Letters such as the Kelvin sign become ASCII in lower case, and would be someone else's
  // address.
  if (text.normalize('NFKC') !== text || asciiDomain(text) === '') return null
  const address = text.toLowerCase()
  // Some letters become longer in lower case.
  return address.length > mostAddress ? null : address
}

/** The ASCII form of a domain, or of an address's domain; empty when invalid. */
export function asciiDomain(text: string): string {
  return domainToASCII(text.slice(text.lastIndexOf('@') + 1).replace(/\.$/, ''))
}

/** Whether two addresses are one, whichever form their domains are written in. */
export function isSameAddress(one: string, other: string): boolean {
  const local = (address: string) => address.slice(0, address.lastIndexOf('@'))
  return local(one) === local(other) && asciiDomain(one) === asciiDomain(other)
}

/** Whether a text, or what its encoded words say, has an @ or a letter that looks like one. */
const hasAt = (text: string) =>
  text.normalize('NFKC').includes('@') || decodeWords(text).normalize('NFKC').includes('@')

/** `bare`: outside comments, quotation marks and `<>`; `name`: all that stands before `<`. */
type Parts = { bare: string; quoted: string[]; comments: string[]; angle: string | null; name: string }

/** Null where brackets or quotation marks do not match, and for groups and lists of `<>`. */
function partsOf(text: string): Parts | null {
  const parts: Parts = { bare: '', quoted: [], comments: [], angle: null, name: '' }
  for (let at = 0; at < text.length; ) {
    const sign = text[at]!
    if (sign === '"' || sign === '(') {
      const part = sign === '"' ? quotedAt(text, at) : commentAt(text, at)
      if (!part) return null
      if (sign === '(') {
        parts.comments.push(part.content)
        // What stands around a comment is never one word.
        parts.bare += ' '
      } else {
        if (parts.angle !== null) return null
        parts.quoted.push(part.content)
        parts.name += part.content
      }
      at = part.end
    } else if (sign === '<') {
      const end = text.indexOf('>', at)
      if (end < 0 || parts.angle !== null) return null
      parts.angle = text.slice(at + 1, end)
      at = end + 1
    } else if ('>)[]:;\\'.includes(sign) || (parts.angle !== null && sign.trim() !== '')) {
      return null
    } else {
      parts.bare += sign
      if (parts.angle === null) parts.name += sign
      at += 1
    }
  }
  return parts
}

type Found = { content: string; end: number }

function quotedAt(text: string, start: number): Found | null {
  let content = ''
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { content, end: at + 1 }
    if (text[at] === '\\') at += 1
    content += text[at] ?? ''
  }
  return null
}

/** Comments may be nested. */
function commentAt(text: string, start: number): Found | null {
  let content = ''
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return { content: content.slice(1), end: at + 1 }
    if (text[at] === '\\') at += 1
    content += text[at] ?? ''
  }
  return null
}

/** The domain of an address, by which strangers are counted; empty without an address. */
export function domainOf(address: string | null): string {
  return (address ?? '').split('@').at(-1)!.replace(/\.$/, '')
}

/** Letters of an address that are enough for its owner, as long as half of them stay hidden. */
const mostShown = 4

/** An address that its owner knows again and no one else can use: `anna…@example.org`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const letters = [...address.slice(0, at)]
  const start = letters.slice(0, Math.min(mostShown, Math.floor(letters.length / 2)))
  return `${start.join('')}…${address.slice(at)}`
}
