import { writeAboveMark } from '../../vocabulary/email/ownEmail.js'

/** How to recognise our own email when an answer quotes it: first and last line, and sender. */
export type OwnMail = {
  /** The "write above this line" line, in every language. */
  writeAbove: readonly string[]
  /** The last line of our emails. */
  closing: string
  /** Our addresses and sender name, in lower case. */
  names: readonly string[]
}

/** The text above our quoted email, and the text below its first line. */
type ReplyParts = { above: string; below: string }

/** Characters that mail programs put before quoted lines. */
const quoting = /^[\s>|│┃▌*_\u00a0\u200b-\u200f\u2060\ufeff]*/u
const blank = (line: string) => line.replace(quoting, '') === ''

/**
 * Cuts a text at the first line of our email, however quoted, wrapped or cased (decision 7.5), and
 * removes the mail program's introduction above it. Null when it quotes no email of ours.
 */
export function splitReply(text: string, own: OwnMail): ReplyParts | null {
  const [at] = placesOf(text, own.writeAbove)
  if (!at) return null
  return { above: withoutIntroduction(text.slice(0, at.start), own.names), below: text.slice(at.end) }
}

/** HTML above the first line of our email, found by its element's mark; null when there is none. */
export function htmlAbove(html: string): string | null {
  const at = html.indexOf(writeAboveMark)
  const tag = at < 0 ? -1 : html.lastIndexOf('<', at)
  // The mark outside a tag was typed by the sender and quotes nothing.
  return tag < 0 || html.slice(tag, at).includes('>') ? null : html.slice(0, tag)
}

/**
 * The answer written between or below our quoted lines when nothing stands above: the unquoted
 * lines or, without quote signs, the lines after the end of our email. Empty when unclear.
 */
export function belowOwnMail(text: string, { below }: ReplyParts, own: OwnMail): string {
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
/** Characters: a longer quoted line may have been wrapped, and its rest has no quote sign. */
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

/** Text for matching: letters, digits and #, in one case, without blanks, quotes and wraps. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '')

/** Where these lines occur in a text, first to last, however wrapped. */
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

/** Lines above a quotation examined: longer than header blocks with many names. */
const mostIntroduction = 14
/** `From: x`, `*Von:* x`, `Envoyé : x`: a few words in any script before a colon. */
const headerLine = /^[\s>|*_]*[\p{L}\p{M}][\p{L}\p{M}\s.'-]{0,24}\*?\s?[:：]/u
/** `-----Original Message-----`, `________`, `Begin forwarded message:` */
const rule = /^[\s>|*]*([-_=—─]{4,}.*|[-—]{2,}.+[-—]{2,})\s*$/u
/** Characters of an "On … wrote:" sentence: a longer line also holds the sender's own text. */
const longestSentence = 300
const isRule = (line: string) => line.length < 200 && rule.test(line)
const saysWhen = /\d{1,2}[:.h]\d\d|\b\d{4}\b|\d{4}年/u

/**
 * Removes the introduction of a quotation from the end: "On … wrote:" in any language, or a header
 * block. `names`: our addresses and sender names, in lower case.
 */
export function withoutIntroduction(above: string, names: readonly string[]): string {
  const once = withoutLastIntroduction(above, names)
  // An email quoted twice has two introductions.
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

/**
 * Start of a header block at the end: two header lines with our address or tag, or three with our
 * name; long ones may be wrapped.
 */
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
  // "Begin forwarded message:" and the like stand above the headers.
  const opening = lines.slice(0, start).findLastIndex((line) => !blank(line))
  return opening >= start - 2 && /[:：]\s*$/u.test(lines[opening]!) ? opening : start
}

/** Start of a sentence of up to four lines that introduces a quotation of our email. */
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

/** Whether the sentence was wrapped after its date, so that it starts a line earlier. */
function beginsEarlier(lines: readonly string[], count: number): boolean {
  const [before = '', begin = ''] = lines.slice(-count - 1)
  return !saysWhen.test(begin) && saysWhen.test(before) && !/[.!?…]\s*$/u.test(before)
}
