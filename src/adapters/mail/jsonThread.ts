import { parentPort } from 'node:worker_threads'
import type { FromThread } from './thread.js'

/** Bytes to parse, or the number of a long text of what was parsed last. */
export type JsonTask = { bytes: Uint8Array } | { long: number }
/** A value in which a Map stands for each long text, or one of them. */
export type JsonPart = { value: unknown; long: number } | { text: string }

/** Characters a text is brought by itself from: the other side takes it over in one go. */
const longText = 64 * 1024
/** Values, entries of one list or object, and boxes within boxes: nothing that is taken has more. */
const mostValues = 100_000
const mostEntries = 1_000
const deepest = 50

let long: string[] = []
let left = 0

function parsed(bytes: Uint8Array): JsonPart {
  long = []
  left = mostValues
  refuseCrowded(bytes)
  const value = hollow(JSON.parse(new TextDecoder().decode(bytes)), 0)
  return { value, long: long.length }
}

const [quote, backslash, comma, list, object] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0))

/**
 * Counts what begins a value, outside of texts, before anything is made of it: the parser cannot be stopped, and out of
 * memory within it ends the whole process.
 */
function refuseCrowded(bytes: Uint8Array): void {
  let values = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else if (byte === comma || byte === list || byte === object) values += 1
    if (values > mostValues) throw new Error('too much')
  }
}

/** Where the text ends that begins at this quotation mark. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote!, start + 1); end >= 0; end = bytes.indexOf(quote!, end + 1)) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return bytes.length
}

/** The value without its long texts, and without the entries beyond the first thousand of a list or object. */
function hollow(value: unknown, depth: number): unknown {
  left -= 1
  if (left < 0 || depth > deepest) throw new Error('too much')
  if (typeof value === 'string' && value.length >= longText) return new Map([['long', long.push(value) - 1]])
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, mostEntries).map((each) => hollow(each, depth + 1))
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    entries.slice(0, mostEntries).map(([name, each]) => [name, hollow(each, depth + 1)]),
  )
}

function answer(task: JsonTask): FromThread<JsonPart> {
  try {
    return { result: 'bytes' in task ? parsed(task.bytes) : { text: long[task.long]! } }
  } catch {
    return { failed: 'unreadable' }
  }
}

// 75 MB of JSON take a quarter of a second and three times their size: this file runs in a thread alone.
parentPort?.on('message', (task: JsonTask) => parentPort?.postMessage(answer(task)))
parentPort?.postMessage({ ready: true })
