import {
  type HeaderKind,
  headerOf,
  headerWithoutColon,
  isUnknownHeader,
  saysForwarded,
} from './headerNames.js'
import type { Introduction } from './introduction.js'
import { endsInColon, isBlank, isRule, type Line } from './lines.js'

/** `----- Original Message -----`, `---------- Forwarded message ---------` */
const wordsInRule = /^[\s*]*[-–—_=*]{2,}\s*[\p{L}].{0,80}?\s*[-–—_=*]{2,}\s*$/u
export const isMark = (line: string) => line.length < 200 && wordsInRule.test(line)
/** "Begin forwarded message:" stands above headers without a rule. */
const isForwardMark = (line: string) =>
  line.length < 100 && saysForwarded(line) && (isMark(line) || endsInColon(line))

/** Most lines of a block, and of a header that was wrapped. */
const mostHeaders = 16
const mostWrapped = 4
const hasAddress = /[^\s<>@]@[^\s<>@]/
const dateAndTime = /\d{4}.*\d{1,2}[:.h]\d\d|\d{1,2}[:.]\d\d.*\d{4}|\d{4}\s*年/u

/** A block of headers, up to the line before `end`. `latest`: the header that was read last. */
type Headers = {
  kinds: Set<HeaderKind>
  end: number
  from: string
  date: string
  text: string
  latest: Header & { restLines: number }
}

type Header = { kind: HeaderKind; value: string }

/** A block of headers whose first line, or the mark above it, is this one. */
export function headersAt(lines: readonly Line[], start: number): Introduction | null {
  const first = lines[start]!
  const isMarked = isMark(first.content) || isForwardMark(first.content)
  const isBelowRule = !isMarked && isRule(first.content)
  const block = readHeaders(lines, isMarked || isBelowRule ? afterBlanks(lines, start + 1) : start, isMarked)
  if (!block) return inOneLine(first.content, start)
  const { kinds, end, from, text, date } = block
  const others = [...kinds].filter((kind) => kind !== 'from' && kind !== 'other').length
  const isSure = isMarked || isBelowRule || hasAddress.test(text) || dateAndTime.test(date)
  if (!kinds.has('from') || others < (isMarked ? 0 : 2) || !isSure) return null
  const marksForward = isMarked && saysForwarded(first.content)
  // One program closes the block with the mark that opened it.
  const isClosed = marksForward && lines[end]?.content.trim() === first.content.trim()
  return {
    start,
    end: isClosed ? end + 1 : end,
    kind: 'headers',
    marksForward,
    isSure,
    name: nameIn(from),
    text,
  }
}

/** The block of headers that begins in this line; null when it is no header. */
function readHeaders(lines: readonly Line[], start: number, isMarked: boolean): Headers | null {
  const first = headerIn(lines[start], isMarked)
  if (first === null) return null
  const headers: Headers = {
    kinds: new Set(),
    end: start,
    from: '',
    date: '',
    text: '',
    latest: { ...first, restLines: 0 },
  }
  const { depth } = lines[start]!
  for (let i = start; i < start + mostHeaders && lines[i]?.depth === depth; i++) {
    const part = partAt(lines, i, headers, isMarked)
    if (part === 'end') break
    if (part !== 'blank') addPart(headers, part, lines[i]!.content, i + 1)
  }
  return headers
}

function headerIn(line: Line | undefined, isMarked: boolean): Header | null {
  if (!line) return null
  return headerOf(line.content) ?? (isMarked ? headerWithoutColon(line.content) : null)
}

/**
 * What a line is to the headers above it: one more header; a blank line between two, from programs
 * that make a paragraph of each; the `rest` of the latest one; or no part of the block.
 */
function partAt(
  lines: readonly Line[],
  i: number,
  headers: Headers,
  isMarked: boolean,
): Header | 'rest' | 'blank' | 'end' {
  const line = lines[i]!
  const next = lines[i + 1]
  const isBeforeHeader = next?.depth === line.depth && isNew(headerIn(next, isMarked)?.kind, headers)
  if (isBlank(line.content)) return isBeforeHeader && headers.kinds.size <= 3 ? 'blank' : 'end'
  const header = headerIn(line, isMarked)
  if (header) return isNew(header.kind, headers) ? header : 'end'
  if (isBeforeHeader && isUnknownHeader(line.content)) return { kind: 'other', value: line.content }
  return isRest(line.content, headers.latest) ? 'rest' : 'end'
}

/** Whether a line goes on with this header. */
function isRest(line: string, { kind, value, restLines }: Headers['latest']): boolean {
  // A table gives each name and each value a line of its own.
  if (value === '' && restLines === 0) return true
  return restLines < mostWrapped && isWrapped(line, kind)
}

function addPart(headers: Headers, part: Header | 'rest', line: string, end: number): void {
  if (part === 'rest') headers.latest.restLines += 1
  else {
    headers.kinds.add(part.kind)
    headers.latest = { ...part, restLines: 0 }
  }
  const value = part === 'rest' ? line : part.value
  if (headers.latest.kind === 'from') headers.from += ` ${value}`
  if (headers.latest.kind === 'date') headers.date += ` ${value}`
  headers.text += ` ${line.slice(0, 2_000)}`
  headers.end = end
}

function isNew(kind: HeaderKind | undefined, { kinds }: Headers): boolean {
  return kind !== undefined && (kind === 'to' || kind === 'other' || !kinds.has(kind))
}

/** `----- Forwarded Message ----- From: Ada <ada@x.example>To: …`: all of it in one line. */
const markAndMore = /^[\s*]*-{3,}[^-]{3,80}-{3,}\s*(\S.*)$/u

function inOneLine(line: string, start: number): Introduction | null {
  const [, rest] = (line.length < 2_000 && markAndMore.exec(line)) || []
  const header = rest === undefined ? null : headerOf(rest)
  if (header?.kind !== 'from' || !hasAddress.test(header.value)) return null
  const name = nameIn(header.value.split('<')[0]!)
  const marksForward = saysForwarded(line.slice(0, line.length - rest!.length))
  return { start, end: start + 1, kind: 'headers', marksForward, isSure: true, name, text: line }
}

/** Whether a header of this kind was wrapped here: an address, or a list of them. */
function isWrapped(line: string, kind: HeaderKind): boolean {
  if (kind === 'from' || kind === 'to') return hasAddress.test(line) || /[;,>]\s*$/.test(line)
  return kind === 'subject' && /^[ \t]/.test(line) && line.length < 200
}

function afterBlanks(lines: readonly Line[], start: number): number {
  let i = start
  while (i < lines.length && i < start + 3 && isBlank(lines[i]!.content)) i++
  return i
}

/** `"Erika Muster" <erika@x.example>` without its address; null when nothing is left. */
function nameIn(from: string): string | null {
  const name = from
    .replace(/[<[(]?\s*(?:mailto:)?[^\s<>[\]()"]{1,64}@[^\s<>[\]()"]{1,255}\s*[>\])]?/giu, ' ')
    .replace(/[<>[\]()"*;_]|mailto:/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s,']+|[\s,']+$/gu, '')
  return /\p{L}/u.test(name) ? name.slice(0, 100) : null
}
