import { load } from 'cheerio'

/**
 * The words of an email, read without anything of the product: one set for each part that has
 * text, with the other versions of the same text beside it. `isCut`: the email ends early, and the
 * last word of each part may be half a word.
 */
export function textsIn(email: Buffer, isCut: boolean): ReadonlySet<string>[][] {
  return partsIn(email.toString('latin1'), '').map((versions) =>
    versions.map((text) => new Set(isCut ? wordsOfCut(text) : wordsOf(text))),
  )
}

/** Without the last word, of which there may be half, and without half a boundary. */
const wordsOfCut = (text: string) => wordsOf(text.replace(/\r?\n--[^\n]*$/, '')).slice(0, -1)

/** Words of two letters and more, in one case. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
  return plain.match(/[\p{L}\p{N}]{2,}/gu) ?? []
}

/** The texts of a part: for each its versions. `bytes`: one character for each byte. */
function partsIn(bytes: string, given: string): string[][] {
  const end = /\r\n\r\n/.exec(bytes)
  if (!end) return []
  const headers = bytes.slice(0, end.index).replace(/\r\n[ \t]+/g, ' ')
  const body = bytes.slice(end.index + 4)
  const header = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(headers)?.[1] ?? ''
  const type = header('content-type') || given || 'text/plain'
  const boundary = /boundary="?([^";\s]+)/i.exec(type)?.[1]
  if (/^multipart\//i.test(type) && boundary) return ofMultipart(type, childrenIn(body, boundary))
  if (/^message\/rfc822/i.test(type)) return partsIn(body, '')
  const isText = /^text\/(plain|html)/i.test(type)
  if (!isText || /^attachment/i.test(header('content-disposition'))) return []
  const text = decoded(body, header('content-transfer-encoding'), type)
  return [[/html/i.test(type) ? shownIn(text) : text]]
}

function childrenIn(body: string, boundary: string): string[] {
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`)
  return parts.filter((part) => !part.startsWith('--')).map((part) => part.replace(/^[^\r]*\r\n/, ''))
}

/** Of an alternative, one version has to be read; of anything else, every part. */
function ofMultipart(type: string, parts: string[]): string[][] {
  const texts = parts.map((part) => partsIn(part.startsWith('\r\n') ? `x: y\r\n${part}` : part, ''))
  if (!/alternative/i.test(type)) return texts.flat()
  const versions = texts.map((each) => each.flat().join('\n')).filter((text) => text.trim() !== '')
  return versions.length > 0 ? [versions] : []
}

function decoded(body: string, encoding: string, type: string): string {
  const bytes = /base64/i.test(encoding)
    ? Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64')
    : Buffer.from(/quoted-printable/i.test(encoding) ? unquoted(body) : body, 'latin1')
  const label = /charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
  const text = textOf(bytes, label)
  if (!/format=flowed/i.test(type)) return text
  const isJoined = /delsp=yes/i.test(type)
  return text.replace(/ \r?\n(?=[^>\r\n])/g, isJoined ? '' : ' ')
}

const unquoted = (text: string) =>
  text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=[0-9a-f]?$/i, '')
    .replace(/=([0-9a-f]{2})/gi, (_byte, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * UTF-8 where the bytes are that, up to a character that is cut off, else what their label says.
 */
function textOf(bytes: Buffer, label: string): string {
  // ISO-2022-JP has no bytes but those of ASCII.
  if (/^iso-2022/i.test(label)) return new TextDecoder(label).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder(isKnown(label) ? label : 'latin1').decode(bytes)
  }
}

/** Whether a label names a character set with more than ASCII. */
function isKnown(label: string): boolean {
  if (/^us-ascii$/i.test(label)) return false
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** What people see of HTML, with a line for each element that has words. */
function shownIn(html: string): string {
  const page = load(html)
  page('style, script, title, head, [style*="display:none"], [style*="display: none"]').remove()
  page('*').append('\n')
  return page.root().text()
}
