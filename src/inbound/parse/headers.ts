import { decodeWords } from '../../vocabulary/email/encodedWords.js'
import { cleanLine } from '../../vocabulary/plainText.js'
import type { EmailHeaders } from '../message.js'

/** Most headers, and characters of a value and of all of them as one text, that are examined. */
const mostHeaders = 1_000
const mostValue = 10_000
const mostHeaderText = 1_000_000

/**
 * Reads a provider's `headers`: an object of names in any case with one or more values; a list of
 * `{name, value}` or `[name, value]`; either as JSON; or the lines of the email. Values keep their
 * order. Null when nothing is usable.
 */
export function emailHeaders(source: unknown): EmailHeaders | null {
  const headers = new Map<string, string[]>()
  for (const [name, value] of pairsOf(source)) {
    const values = (Array.isArray(value) ? value.slice(0, mostHeaders) : [value])
      .filter((each): each is string => typeof each === 'string')
      .map((each) => each.slice(0, mostValue))
    const key = headerKey(name.slice(0, mostValue))
    if (key === null) continue
    const known = headers.get(key)
    if (known) known.push(...values)
    else headers.set(key, values)
  }
  return headers.size > 0 ? headers : null
}

const verdicts = 'authentication-results'

/**
 * The name a header is found by: a provider writes underscores. Null for a name that only resembles
 * Authentication-Results: a mail server removes what senders forge under the right name alone.
 */
function headerKey(name: string): string | null {
  const key = name.trim().toLowerCase().replaceAll('_', '-')
  return key.normalize('NFKC') === verdicts && name.toLowerCase() !== verdicts ? null : key
}

function pairsOf(source: unknown): [string, unknown][] {
  if (typeof source === 'string') return pairsInText(source.slice(0, mostHeaderText))
  if (typeof source !== 'object' || source === null) return []
  if (!Array.isArray(source)) return Object.entries(source).slice(0, mostHeaders)
  return source.slice(0, mostHeaders).flatMap((each: unknown) => {
    const [name, value] = Array.isArray(each) ? each : namedIn(each)
    return typeof name === 'string' ? [[name, value] as [string, unknown]] : []
  })
}

function namedIn(each: unknown): unknown[] {
  const { name, value, Name, Value } = (each ?? {}) as Record<string, unknown>
  return [name ?? Name, value ?? Value]
}

function pairsInText(text: string): [string, unknown][] {
  if (/^\s*[[{]/.test(text)) {
    try {
      return pairsOf(JSON.parse(text) as object)
    } catch {
      return []
    }
  }
  // RFC 5322, 2.2.3: a line that starts with a space goes on with the one before.
  return text
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/, mostHeaders)
    .flatMap((line) => {
      const [, name, value] = /^([\x21-\x39\x3b-\x7e]+[ \t]*):(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value!.trim()] as [string, unknown]]
    })
}

/** Characters of a subject that are read; mail programs make no longer ones. */
const mostHeader = 2000

/** An email header as plain text: one line, encoded words decoded. */
export function headerText(header: string): string {
  return cleanLine(decodeWords(cleanLine(header.slice(0, mostHeader))))
}
