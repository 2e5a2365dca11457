import { writeAboveMark } from '../domain/mail/ownMail.js'

/** What a mail of ours looks like when an answer brings it back: its first and last line, and who it is from. */
export type OwnMail = {
  /** The line to write above, in every language. */
  writeAbove: readonly string[]
  /** The line it ends with. */
  closing: string
  /** Our addresses and the name they are sent under, in lower case. */
  names: readonly string[]
}

/** The part of a text above a mail of ours that it brings back, and the part below its first line. */
export type Answered = { above: string; below: string }

/** Signs that mail programs put in front of what they quote. */
const quoting = /^[\s>|│┃▌*_\u00a0\u200b-\u200f\u2060\ufeff]*/u
const blank = (line: string) => line.replace(quoting, '') === ''

/**
 * Cuts a text at the line our mails begin with, however it was quoted, wrapped or cased (decision 7.5). The words that
 * mail programs put above a quotation go as well. Null when no mail of ours is in it.
 */
export function answered(text: string, own: OwnMail): Answered | null {
  const [at] = placesOf(text, own.writeAbove)
  if (!at) return null
  return { above: withoutIntroduction(text.slice(0, at.start), own.names), below: text.slice(at.end) }
}

/** An HTML mail up to the line of ours, known by the mark of its element; null when no mail of ours is in it. */
export function htmlAbove(html: string): string | null {
  const at = html.indexOf(writeAboveMark)
  const tag = at < 0 ? -1 : html.lastIndexOf('<', at)
  // Somebody who only writes the mark quotes nothing.
  return tag < 0 || html.slice(tag, at).includes('>') ? null : html.slice(0, tag)
}

/**
 * What somebody wrote between or below the words of a mail of ours, when nothing stands above them: the lines that are
 * not quoted or, where no sign tells, those after its end. Empty when that cannot be told.
 */
export function belowOwnMail(text: string, { below }: Answered, own: OwnMail): string {
  const before = text
    .slice(0, text.length - below.length)
    .split('\n')
    .at(-1)!
  if (quoted.test(before)) return unquoted(below.split('\n').slice(1))
  const end = placesOf(below, [own.closing]).at(-1)
  if (!end) return ''
  const lines = below.slice(end.end).split('\n')
  const first = lines.findIndex((line) => !blank(line) && !isRule(line))
  return first < 0 ? '' : lines.slice(first).join('\n').trim()
}

const quoted = /^\s*[>|│┃]/u
/** A quoted line of so many characters may have lost its end to the next one, without the sign. */
const longQuote = 60

function unquoted(lines: readonly string[]): string {
  const isRest = (line: string, i: number) => {
    const above = lines[i - 1] ?? ''
    return line.trim() !== '' && quoted.test(above) && above.length >= longQuote
  }
  return lines
    .filter((line, i) => !quoted.test(line) && !isRest(line, i))
    .join('\n')
    .trim()
}

/** Letters, digits and the signs around our line, in one case: blanks, quotes and wraps fall out. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '')

/** Where these lines stand in a text, first to last, however they are wrapped. */
function placesOf(text: string, lines: readonly string[]): { start: number; end: number }[] {
  const marks = lines.map(folded).filter(Boolean)
  const whole = folded(text)
  if (!marks.some((mark) => whole.includes(mark))) return []
  const letters: string[] = []
  const ends: number[] = []
  for (const { 0: sign, index } of text.matchAll(/[\p{L}\p{N}#＃]/gu)) {
    for (const letter of (/[a-z0-9#]/.test(sign) ? sign : folded(sign)).split('')) {
      letters.push(letter)
      ends.push(index + sign.length)
    }
  }
  const stream = letters.join('')
  return marks
    .flatMap((line) =>
      startsOf(stream, line).map((at) => ({ start: ends[at]! - 1, end: ends[at + line.length - 1]! })),
    )
    .sort((a, b) => a.start - b.start)
}

function startsOf(text: string, part: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) starts.push(at)
  return starts
}

/** Lines above a quotation that are looked at: a block of headers with long lists of names has no more. */
const mostIntroduction = 14
/** `From: x`, `*Von:* x`, `Envoyé : x`: a few words of any script before a colon. */
const headerLine = /^[\s>|*_]*[\p{L}\p{M}][\p{L}\p{M}\s.'-]{0,24}\*?\s?[:：]/u
/** `-----Original Message-----`, `________`, `Begin forwarded message:` */
const rule = /^[\s>|*]*([-_=—─]{4,}.*|[-—]{2,}.+[-—]{2,})\s*$/u
/** Characters of such a sentence: a longer one is somebody's words, with the sentence in the same line. */
const longestSentence = 300
const isRule = (line: string) => line.length < 200 && rule.test(line)
const saysWhen = /\d{1,2}[:.h]\d\d|\b\d{4}\b|\d{4}年/u

/**
 * A text without what stands at its end to say whose mail follows: "On … wrote:" in any language, or a block of headers.
 * `names` are ours, in lower case: addresses and what they are sent under.
 */
export function withoutIntroduction(above: string, names: readonly string[]): string {
  const once = withoutLastIntroduction(above, names)
  // What was quoted twice was introduced twice.
  return once === above.trimEnd() ? once : withoutLastIntroduction(once, names)
}

function withoutLastIntroduction(above: string, names: readonly string[]): string {
  const lines = above.split('\n')
  while (lines.length > 0 && blank(lines.at(-1)!)) lines.pop()
  const first = Math.max(0, lines.length - mostIntroduction)
  const start = startOfHeaders(lines, first, names) ?? startOfAttribution(lines, first, names) ?? lines.length
  const kept = lines.slice(0, start)
  while (kept.length > 0 && (blank(kept.at(-1)!) || isRule(kept.at(-1)!))) kept.pop()
  return kept.join('\n')
}

const holds = (line: string, names: readonly string[]) =>
  names.some((name) => name !== '' && line.toLowerCase().includes(name))
const addresses = (names: readonly string[]) => names.filter((name) => name.includes('@'))

/** Two header lines at the end that show our address or tag, or three with our name; long ones may have been wrapped. */
function startOfHeaders(lines: readonly string[], first: number, names: readonly string[]): number | null {
  let start: number | null = null
  let headers = 0
  let wrapped = 0
  for (let i = lines.length - 1; i >= first; i--) {
    if (headerLine.test(lines[i]!)) {
      start = i
      headers += 1
      wrapped = 0
    } else if (blank(lines[i]!) || ++wrapped > 2) break
  }
  if (start === null) return null
  const block = lines.slice(start).join(' ')
  const isSure = holds(block, addresses(names)) || /\[INC-\d+\]/i.test(block)
  if (headers < 2 || !(isSure || (headers > 2 && holds(block, names)))) return null
  // "Begin forwarded message:" and the like stand above it.
  const opening = lines.slice(0, start).findLastIndex((line) => !blank(line))
  return opening >= start - 2 && /[:：]\s*$/u.test(lines[opening]!) ? opening : start
}

/** One sentence of up to four lines that ends in a colon and says who or when, or shows our address and when. */
function startOfAttribution(
  lines: readonly string[],
  first: number,
  names: readonly string[],
): number | null {
  for (let count = 1; count <= 4 && lines.length - count >= first; count++) {
    const sentence = lines.slice(-count)
    if (sentence.some(blank)) return null
    const text = sentence.join(' ')
    if (text.length > longestSentence) return null
    const ends = /[:：]["'*_\s]*$/u.test(text)
    const isIt = ends
      ? holds(text, names) || text.includes('@') || (count === 1 && saysWhen.test(text))
      : holds(text, addresses(names)) && saysWhen.test(text)
    if (isIt) return Math.max(first, lines.length - count - (beginsEarlier(lines, count) ? 1 : 0))
  }
  return null
}

/** Whether the sentence was wrapped after its date: that line then ends in the middle of it. */
function beginsEarlier(lines: readonly string[], count: number): boolean {
  const [before = '', begin = ''] = lines.slice(-count - 1)
  return !saysWhen.test(begin) && saysWhen.test(before) && !/[.!?…]\s*$/u.test(before)
}
