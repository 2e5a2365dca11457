import { folded, type Letters } from './letters.js'
import { isWordless, type Line } from './lines.js'
import { labels, longSentence, type OwnSentence, templates, wroteLines } from './ownSentences.js'

/** What we know besides the catalogue: stored texts, our names and closing line, folded. */
export type KnownTexts = { stored: ReadonlySet<string>; names: readonly string[]; closing: string }

/** What was not recognised of a line, piece by piece, and what the rest was recognised as. */
export type Pieces = { text: string[]; as: number }

/** The pieces of each line in which something was recognised. */
export function piecesOf(
  lines: readonly Line[],
  { line, at }: Letters,
  covered: Uint8Array,
): ReadonlyMap<number, Pieces> {
  const pieces = new Map<number, Pieces>()
  for (let i = 0; i < covered.length; ) {
    const number = line[i]!
    let end = i
    let as = 0
    while (end < covered.length && line[end] === number) as = Math.max(as, covered[end++]!)
    if (as > 0) pieces.set(number, { text: uncovered(lines[number]!.content, i, end, at, covered), as })
    i = end
  }
  return pieces
}

function uncovered(
  content: string,
  start: number,
  end: number,
  at: Int32Array,
  covered: Uint8Array,
): string[] {
  const text: string[] = []
  for (let i = start; i < end; ) {
    const isOurs = covered[i]! > 0
    let next = i
    while (next < end && covered[next]! > 0 === isOurs) next++
    if (!isOurs) text.push(content.slice(at[i]!, next < end ? at[next]! : content.length).trim())
    i = next
  }
  return text
}

const isShort = (part: string) => part.length < longSentence
const shortTemplates = templates.filter(({ parts }) => parts.every(isShort))
const shortWords = new Set(
  shortTemplates
    .filter(({ parts, isOpenBefore, isOpenAfter }) => parts.length === 1 && !isOpenBefore && !isOpenAfter)
    .map(({ parts }) => parts[0]!),
)
/** Letters that a sentence with gaps must have itself: those of "Open INC-…". */
const fewest = 7
const withGaps = shortTemplates
  .filter(({ parts, isOpenBefore, isOpenAfter }) => parts.length > 1 || isOpenBefore || isOpenAfter)
  .filter(({ parts }) => parts.join('').length >= fewest)
  .map(patternOf)
const namesWriter = wroteLines.map(patternOf)

/** A folded line that is this sentence. */
function patternOf({ parts, isOpenBefore, isOpenAfter }: OwnSentence): RegExp {
  const any = '.{0,60}'
  return new RegExp(`^${isOpenBefore ? any : ''}${parts.join(any)}${isOpenAfter ? any : ''}$`, 'u')
}

const link = /<?\b[a-z]{2,10}:\/\/[^\s<>]+>?/giu
/** A path of our pages: a line that is only such a link is the address of a button. */
const ownPath = /\/(incidents|assets|unsubscribe|fixed|follow|status|invitation|sign-in|reset-password)\b/i
const dividers = /[:：·|\t*]|\s[–—-]\s|\s{3,}/u

/**
 * What someone else wrote in a line of our email; empty when the line is ours. `isValue`: the line
 * above was a label of ours alone, as the cells of a table become lines. `isLast`: nothing follows.
 */
export function leftOfLine(
  content: string,
  { text, as }: Pieces,
  { isValue, isLast }: { isValue: boolean; isLast: boolean },
  ours: KnownTexts,
): { left: string; isLabel: boolean } {
  const all = folded(content)
  if (labels.has(all)) return { left: '', isLabel: true }
  const rest = text.map((piece) => piece.replace(link, ' ').trim()).filter((piece) => !isWordless(piece))
  if (rest.length === 0) {
    const isOnlyLink = as === 0 && !ownPath.test(content)
    return { left: isOnlyLink && !isPunctuation(content) ? content.trim() : '', isLabel: false }
  }
  const value = isValue ? content : valueAfterLabel(content)
  if (value !== null) return { left: leftOfValue(value, rest, as), isLabel: false }
  if (isOwn(content, rest, as, ours) || isBeginning(content, all, isLast, ours))
    return { left: '', isLabel: false }
  if (as === 0) return { left: content.trim(), isLabel: false }
  const left = rest.filter((piece) => valueAfterLabel(piece) === null && !isOwn(piece, [piece], as, ours))
  return { left: tidy(left.join(' ')), isLabel: false }
}

/** A line such as "---": anything else without letters, such as a thumb, was meant. */
const isPunctuation = (content: string) =>
  !/[\p{Extended_Pictographic}\p{S}]/u.test(content.replace(/[=+|~^_`]/g, ''))

function valueAfterLabel(content: string): string | null {
  const [, label, value] = /^[\s*]*([^:：\t]{1,40}?)\s*[:：\t][\s*]*(.*)$/u.exec(content) ?? []
  return label !== undefined && labels.has(folded(label)) ? value! : null
}

/** The fact itself is ours, known or not; words behind a known one are an answer. */
function leftOfValue(value: string, rest: readonly string[], as: number): string {
  if (as === 0) return ''
  const behind = rest.filter((piece) => value.includes(piece)).at(-1) ?? ''
  return behind.split(/\s+/u).filter((word) => !isWordless(word)).length > 1 ? tidy(behind) : ''
}

/** Whether every part between dividers is a short sentence of ours, or a number beside one. */
function isOwn(content: string, rest: readonly string[], as: number, ours: KnownTexts): boolean {
  const whole = folded(rest.join(' '))
  if (withGaps.some((pattern) => pattern.test(whole))) return true
  if (/[:：]\s*$/u.test(content) && namesWriter.some((pattern) => pattern.test(whole))) return true
  const parts = rest
    .flatMap((piece) => [...piece.split(dividers)])
    .map(folded)
    .filter(Boolean)
  const known = (part: string) =>
    shortWords.has(part) || ours.stored.has(part) || ours.names.includes(part) || part === ours.closing
  if (known(whole)) return true
  const isNumber = (part: string) => /^(inc)?\d*$/u.test(part)
  return parts.every((part) => known(part) || isNumber(part)) && (as > 0 || parts.some(known))
}

/** Whether the line is the beginning of a text of ours that was cut, for our email or with it. */
function isBeginning(content: string, all: string, isLast: boolean, { stored }: KnownTexts): boolean {
  if (all.length < longSentence || !(isLast || /(…|\.\.\.)\s*$/u.test(content))) return false
  if (isLast && templates.some(({ parts, isOpenBefore }) => !isOpenBefore && parts[0]!.startsWith(all)))
    return true
  for (const sentence of stored) if (sentence.startsWith(all)) return true
  return false
}

const tidy = (text: string) => text.replace(/^[\s.,;:·|–-]+/u, '').trim()
