import { decodeBytes } from '../../vocabulary/characterSets.js'
import { defined } from '../../vocabulary/collections.js'
import { percentBytes } from '../../vocabulary/email/encodedWords.js'
import { headerParameters } from './headerParameters.js'
import { emailHeaders } from './headers.js'

/** A field of a form, a file when it has a file name; `label`: its character set, where it says. */
type Field = { name: string; filename: string | null; label: string | null; bytes: Buffer }

/** A form's fields as texts with its files as `attachments` (spec §2), and the bytes of a field. */
export type FormFields = {
  given: Record<string, unknown>
  bytesOf: (name: string) => Buffer | null
}

/** Parts of a form that are read; those of an email provider are a few dozen. */
const mostParts = 1_000
/** Bytes of a part's own headers that are read. */
const mostHeader = 10_000
const crlf = '\r\n'

/** Reads a form of either type. Throws when it is none. */
export function formFields(bytes: Uint8Array, type: string): FormFields {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const all = /^multipart\/form-data\b/i.test(type) ? partsOf(body, boundaryIn(type)) : simpleFields(body)
  const texts = all.filter(({ filename }) => filename === null)
  const sets = charsets(texts.find(({ name }) => name === 'charsets'))
  const attachments = all
    .filter(({ filename }) => filename !== null)
    .map((file) => ({ filename: file.filename, contentBase64: file.bytes.toString('base64') }))
  const decoded = texts.map(({ name, label, bytes: own }): [string, string] => {
    const set = sets[name]
    return [name, decodeBytes(own, typeof set === 'string' ? set : label)]
  })
  return {
    given: { ...byName(decoded), attachments },
    bytesOf: (name) => texts.find((field) => field.name === name)?.bytes ?? null,
  }
}

/** The fields of `name=value&…`, percent-coded; their bytes may be of any character set. */
function simpleFields(body: Buffer): Field[] {
  return body
    .toString('latin1')
    .split('&', mostParts)
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      const bytes = (text: string) => percentBytes(text.replaceAll('+', ' '), '%')
      return {
        name: decodeBytes(bytes(at < 0 ? pair : pair.slice(0, at))),
        filename: null,
        label: null,
        bytes: bytes(at < 0 ? '' : pair.slice(at + 1)),
      }
    })
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
function partsOf(bytes: Buffer, boundary: string): Field[] {
  const delimiter = Buffer.from(`${crlf}--${boundary}`)
  const parts: Field[] = []
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

function partIn(bytes: Buffer): Field | null {
  const end = bytes.indexOf(crlf + crlf)
  if (end < 0) return null
  const headers = decodeBytes(bytes.subarray(0, Math.min(end, mostHeader)))
  const header = (name: string) =>
    headerParameters(new RegExp(`^${name}:(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(headers)?.[1] ?? '')
  const disposition = header('content-disposition')
  const name = disposition.get('name')
  return name === undefined
    ? null
    : {
        name: asTyped(name),
        filename: asTyped(disposition.get('filename') ?? null),
        label: header('content-type').get('charset') ?? null,
        bytes: bytes.subarray(end + 4),
      }
}

/** RFC 7578, 4.2: browsers write a quotation mark as %22. */
const asTyped = <T extends string | null>(text: T) => (text?.replaceAll('%22', '"') ?? null) as T

/** The character sets a provider names for its fields, as JSON. */
function charsets(field: Field | undefined): Record<string, unknown> {
  try {
    const given: unknown = field && JSON.parse(decodeBytes(field.bytes))
    return typeof given === 'object' && given !== null ? { ...given } : {}
  } catch {
    return {}
  }
}

/** Where providers' bodies have each field of the contract (spec §2), its own name first. */
const names = {
  from: ['from', 'From'],
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
export function contractEmail(given: Record<string, unknown>): Record<string, unknown> {
  const fields = picked(given, names)
  const headers = emailHeaders(fields.headers)
  const { messageId: own, attachments } = fields
  const inHeaders = (name: string) => headers?.get(name)?.[0]
  const author = fields.from ?? inHeaders('from')
  return defined({
    ...fields,
    from: author ?? given.sender,
    headers: author === undefined ? withoutVerdicts(fields.headers) : fields.headers,
    subject: fields.subject ?? inHeaders('subject'),
    // A provider's own number of an email is another one when the email is sent again.
    messageId: given.messageId ?? inHeaders('message-id') ?? own,
    attachments: Array.isArray(attachments) ? attachments.map(fileOf) : attachments,
  })
}

/**
 * The headers of an email whose author is not given: `sender` is who handed it to the mail server,
 * and no verdict on From is about them.
 */
const withoutVerdicts = (given: unknown) =>
  [...(emailHeaders(given) ?? [])].filter(([name]) => name !== 'authentication-results')

const fileOf = (given: unknown) =>
  typeof given === 'object' && given !== null ? picked(given as Record<string, unknown>, namesOfFile) : given

function picked<T extends Record<string, readonly string[]>>(given: Record<string, unknown>, from: T) {
  const found = Object.entries(from).map(([field, keys]) => {
    const key = keys.find((each) => Object.hasOwn(given, each))
    return [field, key === undefined ? undefined : given[key]]
  })
  return defined(Object.fromEntries(found)) as { [K in keyof T]?: unknown }
}
