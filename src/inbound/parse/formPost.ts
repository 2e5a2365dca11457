import { decodeBytes } from '../../vocabulary/characterSets.js'
import { percentBytes } from '../../vocabulary/email/encodedWords.js'
import { contentIdsOf } from './contentIds.js'
import { headerParameters } from './headerParameters.js'
import { objectInJson } from './objectInJson.js'

/**
 * A field of a form, a file when it has a file name; `type`: its Content-Type header; `label`: its
 * character set, where it says.
 */
type Field = {
  name: string
  filename: string | null
  type: string | null
  label: string | null
  bytes: Buffer
}

/** A form's fields as texts with its files as `attachments` (spec §2), and the bytes of a field. */
export type FormFields = {
  fields: Record<string, unknown>
  bytesOf: (name: string) => Buffer | null
}

/** Parts of a form that are read; those of an email provider are a few dozen. */
const mostParts = 1_000
/** Bytes of a part's own headers that are read. */
const mostHeader = 10_000
const crlf = '\r\n'

/** Reads a form of either type. Throws when it is none. */
export function postedFields(bytes: Uint8Array, type: string): FormFields {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const all = /^multipart\/form-data\b/i.test(type) ? partsOf(body, boundaryIn(type)) : simpleFields(body)
  const texts = all.filter(({ filename }) => filename === null)
  const bytesOf = (name: string) => texts.find((field) => field.name === name)?.bytes ?? null
  // A provider names the character sets of its fields as JSON.
  const sets = objectInJson(decodeBytes(bytesOf('charsets') ?? Buffer.of()))
  const decoded = texts.map(({ name, label, bytes: own }): [string, string] => {
    const set = sets[name]
    return [name, decodeBytes(own, typeof set === 'string' ? set : label)]
  })
  const fields = byName(decoded)
  const contentIds = contentIdsOf(fields)
  const attachments = all
    .filter(({ filename }) => filename !== null)
    .map((file) => ({
      filename: file.filename,
      contentType: file.type,
      contentId: contentIds.get(file.name),
      contentBase64: file.bytes.toString('base64'),
    }))
  return { fields: { ...fields, attachments }, bytesOf }
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
        type: null,
        label: null,
        bytes: bytes(at < 0 ? '' : pair.slice(at + 1)),
      }
    })
}

/** A text for each name; a list, which no field takes, for one that comes twice or as `name[]`. */
function byName(fields: Iterable<[string, string]>): Record<string, unknown> {
  const values = new Map<string, { texts: string[]; isList: boolean }>()
  for (const [key, text] of fields) {
    const name = key.split('[')[0]!
    const { texts, isList } = values.get(name) ?? { texts: [], isList: false }
    texts.push(text)
    values.set(name, { texts, isList: isList || name !== key || texts.length > 1 })
  }
  return Object.fromEntries([...values].map(([name, { texts, isList }]) => [name, isList ? texts : texts[0]]))
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
  let start = startOfFirst(bytes, delimiter)
  while (parts.length < mostParts) {
    if (bytes.subarray(start, start + 2).toString('latin1') === '--') return parts
    const end = bytes.indexOf(delimiter, start)
    if (end < 0) throw new SyntaxError('the form is cut off')
    const part = partIn(bytes.subarray(start, end))
    if (part) parts.push(part)
    start = end + delimiter.length
  }
  return parts
}

/** Where the first part starts: its delimiter may be the first line, with no line break before. */
function startOfFirst(bytes: Buffer, delimiter: Buffer): number {
  const firstLine = delimiter.subarray(crlf.length)
  if (bytes.subarray(0, firstLine.length).equals(firstLine)) return firstLine.length
  const at = bytes.indexOf(delimiter)
  if (at < 0) throw new SyntaxError('a form without a delimiter')
  return at + delimiter.length
}

function partIn(bytes: Buffer): Field | null {
  const end = bytes.indexOf(crlf + crlf)
  if (end < 0) return null
  const headers = decodeBytes(bytes.subarray(0, Math.min(end, mostHeader)))
  const header = (name: string) =>
    new RegExp(`^${name}:(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(headers)?.[1]?.trim() ?? null
  const disposition = headerParameters(header('content-disposition') ?? '')
  const type = header('content-type')
  const name = disposition.get('name')
  return name === undefined
    ? null
    : {
        name: asTyped(name),
        filename: asTyped(disposition.get('filename') ?? null),
        type,
        label: headerParameters(type ?? '').get('charset') ?? null,
        bytes: bytes.subarray(end + 4),
      }
}

/** RFC 7578, 4.2: browsers write a quotation mark as %22. */
const asTyped = <T extends string | null>(text: T) => (text?.replaceAll('%22', '"') ?? null) as T
