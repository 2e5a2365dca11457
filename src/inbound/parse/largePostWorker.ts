import { parentPort } from 'node:worker_threads'
import type { FromThread } from '../../platform/process/workerThread.js'
import { type FormFields, postedFields } from './formPost.js'
import { spamMarkInFields } from './providerSpam.js'
import { parseWholeEmail } from './wholeEmail.js'

/** Bytes to parse with their media type, or the index of a long text of the last post parsed. */
export type PostTask = { bytes: Uint8Array; type: string } | { longText: number }
/**
 * The value of a post, with a Map in place of each long text: they are fetched one by one, because
 * each message is copied in one go. `longTexts`: how many there are.
 */
export type ParsedPost = { value: unknown; longTexts: number }
export type LongText = { text: string }

/** Characters from which a text is sent separately. */
const longText = 64 * 1024
/** Values of a document that are parsed: an email with 100,000 header lines has some 300,000. */
const mostParsed = 500_000
/** Limits on values, entries per list or object, and nesting: beyond, it is refused or cut. */
const mostValues = 100_000
const mostEntries = 1_000
const deepest = 50

/** Of the last post parsed. */
let longTexts: string[] = []
/** How many values the post may still have. */
let valuesLeft = 0

async function answer(task: PostTask): Promise<FromThread<ParsedPost | LongText>> {
  try {
    if ('longText' in task) return { result: { text: longTexts[task.longText]! } }
    return { result: await parse(task.bytes, task.type) }
  } catch {
    return { failed: 'unreadable' }
  }
}

async function parse(bytes: Uint8Array, type: string): Promise<ParsedPost> {
  longTexts = []
  valuesLeft = mostValues
  const value = withoutLongTexts(await contentOf(bytes, type), 0)
  return { value, longTexts: longTexts.length }
}

/** The value without its long texts, and with the first thousand entries of a list or object. */
function withoutLongTexts(value: unknown, depth: number): unknown {
  valuesLeft -= 1
  if (valuesLeft < 0 || depth > deepest) throw new Error('too much')
  if (typeof value === 'string' && value.length >= longText)
    return new Map([['longText', longTexts.push(value) - 1]])
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.slice(0, mostEntries).map((each) => withoutLongTexts(each, depth + 1))
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    entries.slice(0, mostEntries).map(([name, each]) => [name, withoutLongTexts(each, depth + 1)]),
  )
}

async function contentOf(bytes: Uint8Array, type: string): Promise<unknown> {
  if (/^message\/rfc822\b/i.test(type)) return parseWholeEmail(bytes)
  if (/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type))
    return emailOfForm(postedFields(bytes, type))
  return jsonIn(bytes)
}

/** Fields in which providers send a whole email, as it was received. */
const wholeEmailFields = ['email', 'body-mime']

/** Mandrill's only field: a list of events as JSON, each with an email. */
const eventsField = 'mandrill_events'

/**
 * A form's whole email in the shape of the contract, with what the form says of it as spam; or the
 * form itself where it has none.
 */
async function emailOfForm({ fields, bytesOf }: FormFields): Promise<Record<string, unknown>> {
  const raw = wholeEmailFields.map(bytesOf).find((bytes) => bytes !== null && bytes.length > 0)
  if (raw) return { ...(await parseWholeEmail(raw)), spamMark: spamMarkInFields(fields) }
  const events = bytesOf(eventsField)
  return events ? { ...fields, [eventsField]: jsonIn(events) } : fields
}

function jsonIn(bytes: Uint8Array): unknown {
  refuseCrowded(bytes)
  return JSON.parse(new TextDecoder().decode(bytes))
}

const [quote, backslash, comma, list, object] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0))

/**
 * Counts the values outside strings before parsing: the parser cannot be interrupted, and running
 * out of memory in it ends the whole process.
 */
function refuseCrowded(bytes: Uint8Array): void {
  let values = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else if (byte === comma || byte === list || byte === object) values += 1
    if (values > mostParsed) throw new Error('too much')
  }
}

/** The end of the string that starts at this quotation mark. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote!, start + 1); end >= 0; end = bytes.indexOf(quote!, end + 1)) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return bytes.length
}

// 75 MB of JSON take 250 ms and three times their size in memory, so this file runs in a thread of
// its own.
parentPort?.on('message', async (task: PostTask) => parentPort?.postMessage(await answer(task)))
parentPort?.postMessage({ ready: true })
