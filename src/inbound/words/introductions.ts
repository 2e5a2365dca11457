import {
  type HeaderKind,
  headerOf,
  headerWithoutColon,
  isUnknownHeader,
  saysForwarded,
  saysWrote,
} from './headerNames.js'
import { isBlank, isRule, type Line } from './lines.js'

/**
 * What a mail program writes above words that it quotes or forwards: the lines from `start` to
 * before `end`. `kind`: a block of headers, or a sentence such as "On … wrote:". `marksForward`:
 * its mark says that the words are forwarded. `isSure`: nobody types that. `name`: the sender it
 * names.
 */
export type Introduction = {
  start: number
  end: number
  kind: 'headers' | 'sentence'
  marksForward: boolean
  isSure: boolean
  name: string | null
  text: string
}

/** The introductions of a text, in their order; none is part of another. */
export function introductionsOf(lines: readonly Line[]): Introduction[] {
  const introductions: Introduction[] = []
  for (let i = 0; i < lines.length; ) {
    const introduction = headersAt(lines, i) ?? sentenceAt(lines, i, introductions.at(-1)?.end ?? 0)
    if (introduction) introductions.push(introduction)
    i = introduction?.end ?? i + 1
  }
  return introductions
}

/** `----- Original Message -----`, `---------- Forwarded message ---------` */
const wordsInRule = /^[\s*]*[-–—_=*]{2,}\s*[\p{L}].{0,80}?\s*[-–—_=*]{2,}\s*$/u
export const isMark = (line: string) => line.length < 200 && wordsInRule.test(line)
const endsInColon = (line: string) => /[:：]["'*_\s]*$/u.test(line)
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
function headersAt(lines: readonly Line[], start: number): Introduction | null {
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

/** Lines of a sentence such as "On … wrote:". */
const mostLines = 4
/** Its characters: a longer line also holds the sender's own text. */
export const longestSentence = 300
const saysWhen = /\d{1,2}[:.h]\d\d|\b\d{4}\b|\d{4}年|\d{1,2}\.\s?\d{1,2}\.\s?\d\d/u
const hasYear = /\b\d{4}\b|\d{4}年|\d{1,2}\.\s?\d{1,2}\.\s?\d\d/u
/** A person's own sentence ends above; "Mo." and "nov." end none. */
const endsSentence = /(?:[!?…]|(?:\p{L}{5,}|\d[:.]\d\d|\))\.)\s*$/u
const inBrackets = /[<([]\s*(?:mailto:)?[^\s<>@]+@[^\s<>@]+[>)\]]/u
/** Characters of a sentence that has a name and "wrote" and no more. */
const longestWithName = 80

/**
 * A sentence that introduces a quotation and ends in this line; it begins no earlier than `from`.
 */
function sentenceAt(lines: readonly Line[], last: number, from: number): Introduction | null {
  const { depth, content } = lines[last]!
  if (!endsInColon(content) || content.length > longestSentence) return null
  const isFollowed = quoteFollows(lines, last + 1, depth)
  for (let count = 1; count <= mostLines && last - count + 1 >= from; count++) {
    const start = last - count + 1
    if (count > 1 && endsSentence.test(lines[start]!.content)) return null
    const sentence = lines.slice(start, last + 1)
    if (sentence.some((line) => line.depth !== depth || isBlank(line.content))) return null
    const text = sentence.map((line) => line.content.trim()).join(' ')
    if (text.length > longestSentence) return null
    const isSure = isSureSentence(text)
    if (!isSure && !(isFollowed && mayIntroduce(text))) continue
    const begin = start - (beginsEarlier(lines, start, from) ? 1 : 0)
    return { start: begin, end: last + 1, kind: 'sentence', marksForward: false, isSure, name: null, text }
  }
  return null
}

/** With date, address in brackets and "wrote", or ending in that address: no person writes so. */
function isSureSentence(text: string): boolean {
  if (!saysWhen.test(text) || !inBrackets.test(text)) return false
  return saysWrote(text) || /@[^\s<>@]+>["'*_\s]*[:：]["'*_\s]*$/u.test(text)
}

/** Enough where quoted lines follow. */
function mayIntroduce(text: string): boolean {
  if (saysWrote(text)) return saysWhen.test(text) || text.includes('@') || text.length < longestWithName
  return saysWhen.test(text) && inBrackets.test(text)
}

/** Whether quoted lines follow, after at most two blank ones. */
export function quoteFollows(lines: readonly Line[], start: number, depth = 0): boolean {
  let i = start
  while (i < lines.length && i < start + 2 && lines[i]!.depth <= depth && isBlank(lines[i]!.content)) i++
  return i < lines.length && lines[i]!.depth > depth
}

/** Whether the sentence was wrapped after its date, so that it starts a line earlier. */
function beginsEarlier(lines: readonly Line[], start: number, from: number): boolean {
  const before = lines[start - 1]
  if (start - 1 < from || !before || before.depth !== lines[start]!.depth) return false
  const text = before.content
  return !saysWhen.test(lines[start]!.content) && hasYear.test(text) && !/[.!?…:]\s*$/u.test(text)
}
