import { isWordless, type Line } from '../lines.js'
import type { Coverage, Recognition } from './coverage.js'
import { folded, type Letters } from './letters.js'
import { labels, longSentence, type OwnSentence, templates, wroteLines } from './ownSentences.js'

/** What we know besides the catalogue: stored texts, our names and closing line, folded. */
export type KnownTexts = { stored: ReadonlySet<string>; names: readonly string[]; closing: string }

/** The pieces of a line that were not recognised, and what its other letters were. */
export type LinePieces = { unknownPieces: string[]; recognition: Recognition }

/** The pieces of each line in which something was recognised. */
export function piecesOf(
  lines: readonly Line[],
  { line, at }: Letters,
  coverage: Coverage,
): ReadonlyMap<number, LinePieces> {
  const pieces = new Map<number, LinePieces>()
  for (let start = 0; start < line.length; ) {
    const number = line[start]!
    let end = start
    while (end < line.length && line[end] === number) end++
    const recognition = coverage.highest(start, end)
    if (recognition !== 'none') {
      const unknownPieces = unknownPiecesOf(lines[number]!.content, { start, end }, at, coverage)
      pieces.set(number, { unknownPieces, recognition })
    }
    start = end
  }
  return pieces
}

/** The text between recognised letters of one line, whose letters are those of the range. */
function unknownPiecesOf(
  content: string,
  { start, end }: { start: number; end: number },
  at: Int32Array,
  coverage: Coverage,
): string[] {
  const unknownPieces: string[] = []
  for (let i = start; i < end; ) {
    const isOurs = coverage.has(i)
    let next = i
    while (next < end && coverage.has(next) === isOurs) next++
    if (!isOurs) unknownPieces.push(content.slice(at[i]!, next < end ? at[next]! : content.length).trim())
    i = next
  }
  return unknownPieces
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
const patternsWithGaps = shortTemplates
  .filter(({ parts, isOpenBefore, isOpenAfter }) => parts.length > 1 || isOpenBefore || isOpenAfter)
  .filter(({ parts }) => parts.join('').length >= fewest)
  .map(patternOf)
const writerPatterns = wroteLines.map(patternOf)

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
 * A line of our email, and what was recognised in it. `isValue`: the line above is a label of ours
 * alone, as the cells of a table become lines. `isLast`: nothing follows.
 */
export type OwnLine = LinePieces & { content: string; isValue: boolean; isLast: boolean }

/** What someone else wrote in a line of our email; empty when all of it is ours. */
export function answerInLine(line: OwnLine, known: KnownTexts): string {
  const { content } = line
  const pieces = line.unknownPieces
    .map((piece) => piece.replace(link, ' ').trim())
    .filter((piece) => !isWordless(piece))
  switch (authorsOf(line, pieces, known)) {
    case 'we':
      return ''
    case 'they':
      return content.trim()
    case 'both, in a value':
      return answerAfterValue(line.isValue ? content : valueAfterLabel(content)!, pieces)
    case 'both':
      return tidy(
        pieces
          .filter((piece) => valueAfterLabel(piece) === null && !isOwn(piece, [piece], false, known))
          .join(' '),
      )
  }
}

/**
 * Who wrote a line: we, someone else, or both. An answer to "Status: In progress" is behind the
 * value; to "Which floor is it? The third." it is what was not recognised (`pieces`).
 */
function authorsOf(
  line: OwnLine,
  pieces: readonly string[],
  known: KnownTexts,
): 'we' | 'they' | 'both' | 'both, in a value' {
  const { content, recognition, isValue } = line
  const isUnknown = recognition === 'none'
  if (isLabel(content)) return 'we'
  if (pieces.length === 0) return isUnknown && isForeignSign(content) ? 'they' : 'we'
  if (isValue || valueAfterLabel(content) !== null) return isUnknown ? 'we' : 'both, in a value'
  if (isOwn(content, pieces, isUnknown, known) || isBeginning(line, known)) return 'we'
  return isUnknown ? 'they' : 'both'
}

/** "Where" or "Where:", whose value stands in the line below. */
export const isLabel = (content: string) => labels.has(folded(content))

/** A line without words that we would not write: a link to another site, a thumb. */
const isForeignSign = (content: string) => !ownPath.test(content) && !isPunctuation(content)

/** A line such as "---"; anything else without letters was meant. */
const isPunctuation = (content: string) =>
  !/[\p{Extended_Pictographic}\p{S}]/u.test(content.replace(/[=+|~^_`]/g, ''))

function valueAfterLabel(content: string): string | null {
  const [, label, value] = /^[\s*]*([^:：\t]{1,40}?)\s*[:：\t][\s*]*(.*)$/u.exec(content) ?? []
  return label !== undefined && labels.has(folded(label)) ? value! : null
}

/** The value of a label is ours; words behind one that was recognised are an answer. */
function answerAfterValue(value: string, pieces: readonly string[]): string {
  const behind = pieces.filter((piece) => value.includes(piece)).at(-1) ?? ''
  return behind.split(/\s+/u).filter((word) => !isWordless(word)).length > 1 ? tidy(behind) : ''
}

/** Whether every part between dividers is a short sentence of ours, or a number beside one. */
function isOwn(
  content: string,
  pieces: readonly string[],
  isUnknown: boolean,
  { stored, names, closing }: KnownTexts,
): boolean {
  const whole = folded(pieces.join(' '))
  if (patternsWithGaps.some((pattern) => pattern.test(whole))) return true
  if (/[:：]\s*$/u.test(content) && writerPatterns.some((pattern) => pattern.test(whole))) return true
  const parts = pieces
    .flatMap((piece) => [...piece.split(dividers)])
    .map(folded)
    .filter(Boolean)
  const isKnown = (part: string) =>
    shortWords.has(part) || stored.has(part) || names.includes(part) || part === closing
  if (isKnown(whole)) return true
  const isNumber = (part: string) => /^(inc)?\d*$/u.test(part)
  return parts.every((part) => isKnown(part) || isNumber(part)) && (!isUnknown || parts.some(isKnown))
}

/** Whether the line is the beginning of a text of ours that was cut, for our email or with it. */
function isBeginning({ content, isLast }: OwnLine, { stored }: KnownTexts): boolean {
  const foldedLine = folded(content)
  if (foldedLine.length < longSentence || !(isLast || /(…|\.\.\.)\s*$/u.test(content))) return false
  if (
    isLast &&
    templates.some(({ parts, isOpenBefore }) => !isOpenBefore && parts[0]!.startsWith(foldedLine))
  )
    return true
  for (const sentence of stored) if (sentence.startsWith(foldedLine)) return true
  return false
}

const tidy = (text: string) => text.replace(/^[\s.,;:·|–-]+/u, '').trim()
