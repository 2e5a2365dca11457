import { headerOf } from '../headerNames.js'
import { longestSentence } from '../introducingSentence.js'
import { isBlank } from '../lines.js'

/**
 * What introduces a quotation of our own email, and goes with it. `introductions.ts` must be sure,
 * because it ends what a person wrote; here our email follows, which proves that something was
 * quoted, so that the form of an introduction in any language is enough.
 */

/** Lines above our email that are examined: longer than header blocks with many names. */
const mostIntroduction = 14
/** `From: x`, `*Von:* x`, `Envoyé : x`: a few words in any script before a colon. */
const looksLikeHeader = /^[\s>|*_]*[\p{L}\p{M}][\p{L}\p{M}\s.'-]{0,24}\*?\s?[:：]/u
/** `-----Original Message-----`, `________` */
const looseRule = /^[\s>|*]*([-_=—─]{4,}.*|[-—]{2,}.+[-—]{2,})\s*$/u
const looksLikeMark = (line: string) => line.length < 200 && looseRule.test(line)
const looksLikeDate = /\d{1,2}[:.h]\d\d|\b\d{4}\b|\d{4}年/u

/**
 * How many of the lines above our email are left without its introduction: "On … wrote:" in any
 * language, or a header block. `names`: our addresses and sender names, in lower case.
 */
export function lengthWithoutIntroduction(lines: readonly string[], names: readonly string[]): number {
  const once = lengthWithoutLastIntroduction(lines, names)
  // An email quoted twice has two introductions.
  return once === lengthWithoutBlanks(lines)
    ? once
    : lengthWithoutLastIntroduction(lines.slice(0, once), names)
}

function lengthWithoutBlanks(lines: readonly string[]): number {
  let length = lines.length
  while (length > 0 && isBlank(lines[length - 1]!)) length--
  return length
}

function lengthWithoutLastIntroduction(all: readonly string[], names: readonly string[]): number {
  const lines = all.slice(0, lengthWithoutBlanks(all))
  const first = Math.max(0, lines.length - mostIntroduction)
  const start = startOfHeaders(lines, first, names) ?? startOfSentence(lines, first, names)
  if (start === null) return lines.length
  let length = start
  while (length > 0 && (isBlank(lines[length - 1]!) || looksLikeMark(lines[length - 1]!))) length--
  return length
}

const holds = (line: string, names: readonly string[]) =>
  names.some((name) => name !== '' && line.toLowerCase().includes(name))
const addresses = (names: readonly string[]) => names.filter((name) => name.includes('@'))

/**
 * Start of a header block at the end: two header lines with our address or tag, or three with our
 * name; long ones may be wrapped.
 */
function startOfHeaders(lines: readonly string[], first: number, names: readonly string[]): number | null {
  let start: number | null = null
  let headers = 0
  let wrapped = 0
  for (let i = lines.length - 1; i >= first; i--) {
    if (looksLikeHeader.test(lines[i]!)) {
      start = i
      headers += 1
      wrapped = 0
    } else if (isBlank(lines[i]!) || ++wrapped > 2) break
  }
  if (start === null) return null
  const block = lines.slice(start).join(' ')
  const isSure = holds(block, addresses(names)) || /\[INC-\d+\]/i.test(block)
  if (headers < 2 || !(isSure || (headers > 2 && holds(block, names)))) return null
  // A person's own "Please note:" above has no name of a header.
  while (
    start < lines.length &&
    headers > 2 &&
    headerOf(lines[start]!) === null &&
    headerOf(lines[start + 1] ?? '')
  )
    start += 1
  // "Begin forwarded message:" and the like stand above the headers.
  const opening = lines.slice(0, start).findLastIndex((line) => !isBlank(line))
  return opening >= start - 2 && /[:：]\s*$/u.test(lines[opening] ?? '') ? opening : start
}

/** Start of a sentence of up to four lines that introduces a quotation of our email. */
function startOfSentence(lines: readonly string[], first: number, names: readonly string[]): number | null {
  for (let count = 1; count <= 4 && lines.length - count >= first; count++) {
    const sentence = lines.slice(-count)
    if (sentence.some(isBlank)) return null
    const text = sentence.join(' ')
    if (text.length > longestSentence) return null
    const ends = /[:：]["'*_\s]*$/u.test(text)
    const isIt = ends
      ? holds(text, names) || text.includes('@') || (count === 1 && looksLikeDate.test(text))
      : holds(text, addresses(names)) && looksLikeDate.test(text)
    if (isIt) return Math.max(first, lines.length - count - (wasWrappedAfterDate(lines, count) ? 1 : 0))
  }
  return null
}

/** Whether the sentence was wrapped after its date, so that it starts a line earlier. */
function wasWrappedAfterDate(lines: readonly string[], count: number): boolean {
  const [before = '', begin = ''] = lines.slice(-count - 1)
  return !looksLikeDate.test(begin) && looksLikeDate.test(before) && !/[.!?…]\s*$/u.test(before)
}
