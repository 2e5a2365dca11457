import { defined } from '../../vocabulary/collections.js'
import { mailHeaders } from './emailText.js'

/** A part of a form: a file when it has a file name. */
type Part = { name: string; filename: string | null; bytes: Uint8Array }

/** Parts of a form that are read; those of an email provider are a few dozen. */
const mostParts = 1_000
/** Bytes of a part's own headers that are read. */
const mostHeader = 10_000
const crlf = '\r\n'

/** A form's fields as texts, its files as `attachments` (spec §2). Throws when it is no form. */
export function multipartFields(bytes: Uint8Array, type: string): Record<string, unknown> {
  if (!/^multipart\/form-data\b/i.test(type))
    return { ...byName(new URLSearchParams(utf8(bytes))), attachments: [] }
  const parts = partsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), boundaryIn(type))
  const texts = parts.filter(({ filename }) => filename === null)
  const sets = charsets(texts.find(({ name }) => name === 'charsets'))
  const attachments = parts
    .filter(({ filename }) => filename !== null)
    .map((file) => ({ filename: file.filename, contentBase64: Buffer.from(file.bytes).toString('base64') }))
  const fields = texts.map(({ name, bytes: said }): [string, string] => [name, decoded(said, sets[name])])
  return { ...byName(fields), attachments }
}

/** A text for each name; a list, which no field takes, for one that comes twice or as `name[]`. */
function byName(fields: Iterable<[string, string]>): Record<string, unknown> {
  const found = new Map<string, { texts: string[]; isList: boolean }>()
  for (const [key, text] of fields) {
    const name = key.split('[')[0]!
    const { texts, isList } = found.get(name) ?? { texts: [], isList: false }
    texts.push(text)
    found.set(name, { texts, isList: isList || name !== key || texts.length > 1 })
  }
  return Object.fromEntries([...found].map(([name, { texts, isList }]) => [name, isList ? texts : texts[0]]))
}

function boundaryIn(type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new SyntaxError('no boundary')
  return boundary
}

/** RFC 2046, 5.1: each part stands between two delimiters; the last one is closed by two dashes. */
function partsOf(bytes: Buffer, boundary: string): Part[] {
  const delimiter = Buffer.from(`${crlf}--${boundary}`)
  const parts: Part[] = []
  // The first delimiter has no line before it.
  let at = bytes.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
    ? -2
    : bytes.indexOf(delimiter)
  while (at >= -2 && parts.length < mostParts) {
    const start = at + delimiter.length
    if (bytes.subarray(start, start + 2).toString('latin1') === '--') return parts
    const end = bytes.indexOf(delimiter, start)
    if (at === -1 || end < 0) break
    const part = partIn(bytes.subarray(start, end))
    if (part) parts.push(part)
    at = end
  }
  if (parts.length === mostParts) return parts
  throw new SyntaxError('the form is cut off')
}

function partIn(bytes: Buffer): Part | null {
  const end = bytes.indexOf(crlf + crlf)
  if (end < 0) return null
  const headers = bytes.subarray(0, Math.min(end, mostHeader)).toString('utf8')
  const disposition = /^content-disposition:(.*(?:\r\n[ \t].*)*)/im.exec(headers)?.[1] ?? ''
  const name = parameter(disposition, 'name')
  return name === null
    ? null
    : { name, filename: parameter(disposition, 'filename'), bytes: bytes.subarray(end + 4) }
}

/** RFC 7578, 4.2: a quoted text in UTF-8, in which browsers write a quotation mark as %22. */
function parameter(disposition: string, name: string): string | null {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(disposition) ?? []
  return quoted?.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plain ?? null
}

/** The character sets a provider names for its fields, as JSON. */
function charsets(field: Part | undefined): Record<string, unknown> {
  try {
    const given: unknown = field && JSON.parse(utf8(field.bytes))
    return typeof given === 'object' && given !== null ? { ...given } : {}
  } catch {
    return {}
  }
}

function decoded(bytes: Uint8Array, charset: unknown): string {
  try {
    return new TextDecoder(typeof charset === 'string' ? charset : 'utf-8').decode(bytes)
  } catch {
    return utf8(bytes)
  }
}

const utf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Where providers' bodies have each field of the contract (spec §2), its own name first. */
const names = {
  from: ['from', 'From', 'sender'],
  subject: ['subject', 'Subject'],
  text: ['text', 'TextBody', 'body-plain', 'plain'],
  html: ['html', 'HtmlBody', 'body-html'],
  messageId: ['messageId', 'Message-Id', 'MessageID'],
  headers: ['headers', 'Headers', 'message-headers'],
  attachments: ['attachments', 'Attachments'],
} as const

/** The same of each attachment. */
const namesOfFile = {
  filename: ['filename', 'Name', 'file_name'],
  contentBase64: ['contentBase64', 'Content', 'content'],
} as const

/**
 * An email in the shape of the contract, of any provider's body with these names; what it does not
 * name may stand in the email's own headers. A field that is nowhere is left out.
 */
export function contractMail(given: Record<string, unknown>): Record<string, unknown> {
  const fields = picked(given, names)
  const headers = mailHeaders(fields.headers)
  const { messageId: own, attachments } = fields
  const inHeaders = (name: string) => headers?.get(name)?.[0]
  return defined({
    ...fields,
    from: fields.from ?? inHeaders('from'),
    subject: fields.subject ?? inHeaders('subject'),
    // A provider's own number of an email is another one when the email is sent again.
    messageId: given.messageId ?? inHeaders('message-id') ?? own,
    attachments: Array.isArray(attachments) ? attachments.map(fileOf) : attachments,
  })
}

const fileOf = (given: unknown) =>
  typeof given === 'object' && given !== null ? picked(given as Record<string, unknown>, namesOfFile) : given

function picked<T extends Record<string, readonly string[]>>(given: Record<string, unknown>, from: T) {
  const found = Object.entries(from).map(([field, keys]) => {
    const key = keys.find((each) => Object.hasOwn(given, each))
    return [field, key === undefined ? undefined : given[key]]
  })
  return defined(Object.fromEntries(found)) as { [K in keyof T]?: unknown }
}
