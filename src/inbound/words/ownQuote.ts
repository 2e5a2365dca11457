import { coverSentence, isLong, longestPartOf, placesOf, recognisedAs } from './coverage.js'
import type { Introduction } from './introductions.js'
import { folded, type Letters, lettersOf } from './letters.js'
import { isBlank, isSignatureMark, type Line } from './lines.js'
import { type KnownTexts, leftOfLine, piecesOf } from './ownLine.js'
import { footers, lists, type QuoteMarks, storedSentences, telltales, templates } from './ownSentences.js'

/**
 * Our email, quoted in the lines from `start` to before `end`. `left`: what someone else wrote in
 * each of them; empty where all of it is ours.
 */
export type OwnQuote = { start: number; end: number; left: ReadonlyMap<number, string> }

const longTelltales = telltales.filter(isLong)
const longTemplates = templates.filter(isLong)
const listKeys = lists.map(longestPartOf)
const telltaleKeys = longTelltales.map(longestPartOf)

/**
 * Finds our email in a text by its first line, or by sentences that only our emails have, and
 * compares it line by line with all that it can contain (decision 9.1). Null when there is none.
 * `isExact`: nobody wrapped the lines, so that quoted ones can be compared as well.
 */
export function ownQuoteIn(
  lines: readonly Line[],
  introductions: readonly Introduction[],
  {
    quoteMarks,
    storedTexts,
    isExact,
  }: { quoteMarks: QuoteMarks; storedTexts: readonly string[]; isExact: boolean },
): OwnQuote | null {
  const marks = quoteMarks.writeAbove.map(folded).filter(Boolean)
  const all = folded(lines.map(({ content }) => content).join('\n'))
  if (![...marks, ...telltaleKeys].some((key) => all.includes(key))) return null
  const comparison = compare(lines, quoteMarks, marks, storedTexts)
  if (comparison.firstLetter === null) return null
  const region = regionOf(lines, comparison, isExact)
  const start = startBelow(introductions, region.start, quoteMarks.names)
  const { end } = region
  // What such an email lists is known to no single report, and nobody answers between its lines.
  if (listKeys.some((key) => all.includes(key))) return { start, end, left: new Map() }
  const left = leftIn(lines, { start, end }, comparison, isExact)
  return { start, end, left }
}

/** Our email begins below the header that names us, whatever stands between. */
function startBelow(introductions: readonly Introduction[], start: number, names: readonly string[]): number {
  const above = introductions.filter(({ end }) => end <= start).at(-1)
  const text = above?.text.toLowerCase() ?? ''
  return above && names.some((name) => name !== '' && text.includes(name)) ? above.end : start
}

type Comparison = KnownTexts & {
  letters: Letters
  covered: Uint8Array
  /** The first letter of our first line, else of a sentence that only we write. */
  firstLetter: number | null
  hasMark: boolean
  hasFooter: boolean
  /** The number of the line that closes it; null without one. */
  lastLine: number | null
}

/** Marks all letters of our sentences. */
function compare(
  lines: readonly Line[],
  quoteMarks: QuoteMarks,
  marks: readonly string[],
  storedTexts: readonly string[],
): Comparison {
  const letters = lettersOf(lines)
  const contents = lines.map(({ content }) => content)
  const covered = new Uint8Array(letters.stream.length)
  const sentences = storedSentences(storedTexts)
  const closing = folded(quoteMarks.closing)
  const telltalePlaces = longTelltales
    .map((each) => coverSentence(letters, each, covered, recognisedAs.template, contents))
    .filter((at) => at >= 0)
  const markPlaces = marks.flatMap((each) => placesOf(letters, each))
  const places = markPlaces.length > 0 ? markPlaces : telltalePlaces
  const firstLetter = places.length > 0 ? Math.min(...places) : null
  if (firstLetter !== null) {
    for (const each of longTemplates) coverSentence(letters, each, covered, recognisedAs.template, contents)
    for (const each of [...marks, closing]) coverPlain(letters, each, covered, recognisedAs.template)
    for (const each of sentences) coverPlain(letters, each, covered, recognisedAs.stored)
  }
  const names = quoteMarks.names.map(folded)
  const footer = Math.max(...footers.map(({ parts }) => letters.stream.lastIndexOf(parts[0]!)))
  const closingStart = footer < 0 || closing === '' ? -1 : letters.stream.indexOf(closing, footer)
  return {
    letters,
    covered,
    firstLetter,
    hasMark: markPlaces.length > 0,
    hasFooter: footer >= 0,
    lastLine: closingStart < 0 ? null : letters.line[closingStart + closing.length - 1]!,
    stored: sentences,
    names,
    closing,
  }
}

function coverPlain(letters: Letters, sentence: string, covered: Uint8Array, as: number): void {
  if (!isLong({ parts: [sentence], isOpenBefore: false, isOpenAfter: false })) return
  for (const at of placesOf(letters, sentence)) covered.fill(as, at, at + sentence.length)
}

/** From the first to the last line that is ours. */
function regionOf(
  lines: readonly Line[],
  { letters, covered, firstLetter, hasMark, hasFooter, lastLine, closing, names }: Comparison,
  isExact: boolean,
): { start: number; end: number } {
  let start = letters.line[firstLetter!]!
  if (!hasMark) {
    const ours = new Set(letters.line.filter((_, i) => covered[i] === recognisedAs.template))
    const isName = (text: string) => [closing, ...names].includes(folded(text))
    const first = lines.findIndex(
      (line, i) => !isBlank(line.content) && (ours.has(i) || isName(line.content)),
    )
    if (first >= 0) start = Math.min(start, first)
  }
  // Without its last line it was cut short, or answered there.
  const end = lastLine === null ? endOfCut(lines, start, hasFooter) : lastLine + 1
  return { start: isExact ? fromPreview(lines, start, end) : start, end }
}

/** Where our email ends without its last line: with its quoted lines, or above a signature. */
function endOfCut(lines: readonly Line[], start: number, hasFooter: boolean): number {
  if (lines[start]!.depth > 0) {
    let end = start
    while (lines[end] && (lines[end]!.depth > 0 || isBlank(lines[end]!.content))) end++
    return end
  }
  const signature = hasFooter ? -1 : lines.findIndex((line, i) => i > start && isSignatureMark(line))
  return signature < 0 ? lines.length : signature
}

/**
 * What inboxes show beside the subject stands above the first line where styles were lost: the
 * beginning of a text that our email has below.
 */
function fromPreview(lines: readonly Line[], start: number, end: number): number {
  const above = lines.slice(0, start).findLastIndex(({ content }) => !isBlank(content))
  const preview = above < 0 ? '' : folded(lines[above]!.content)
  if (preview.length < shortestPreview) return start
  const ours = lines.slice(start, end).map(({ content }) => content)
  return folded(ours.join('\n')).includes(preview) ? above : start
}
const shortestPreview = 4

/** What is left of each line of the region. */
function leftIn(
  lines: readonly Line[],
  region: { start: number; end: number },
  comparison: Comparison,
  isExact: boolean,
): Map<number, string> {
  const { letters, covered, firstLetter } = comparison
  const pieces = piecesOf(lines, letters, covered)
  const isQuoted = lines[letters.line[firstLetter!]!]!.depth > 0
  const rests = restsIn(lines, region, comparison)
  const left = new Map<number, string>()
  const last = lines.findLastIndex(({ content }) => !isBlank(content))
  let isValue = false
  for (let i = region.start; i < region.end; i++) {
    const line = lines[i]!
    if (isBlank(line.content)) {
      left.set(i, '')
      continue
    }
    const ofLine = pieces.get(i) ?? { text: [line.content], as: 0 }
    const result = leftOfLine(line.content, ofLine, { isValue, isLast: i === last }, comparison)
    isValue = result.isLabel
    if (rests.has(i)) left.set(i, rests.get(i) === 'whole' ? '' : result.left)
    else if (line.depth > 0)
      left.set(i, isExact || !isQuoted ? besideStored(lines, i, pieces, result.left) : '')
    // Where our lines have quote signs, one without is an answer, whatever it says.
    else left.set(i, isQuoted ? line.content.trim() : result.left)
  }
  return left
}

/**
 * What is left of a quoted line that is part of a stored text, or stands beside one: people answer
 * there. Any other belongs to the quotation.
 */
function besideStored(
  lines: readonly Line[],
  i: number,
  pieces: ReturnType<typeof piecesOf>,
  left: string,
): string {
  const isStored = (at: number) => pieces.get(at)?.as === recognisedAs.stored
  const beside = [-1, 1].map((step) => {
    let at = i + step
    while (lines[at]?.depth === lines[i]!.depth && isBlank(lines[at]!.content)) at += step
    return lines[at]?.depth === lines[i]!.depth && isStored(at)
  })
  return isStored(i) || beside.some(Boolean) ? left : ''
}

/**
 * The rests of quoted lines that a program wrapped after it had quoted them: they have no sign. It
 * did, when a sentence of ours goes on in such a line (`part`); then the width of its lines tells
 * of the others (`whole`).
 */
function restsIn(
  lines: readonly Line[],
  { start, end }: { start: number; end: number },
  { letters: { line }, covered }: Comparison,
): ReadonlyMap<number, 'part' | 'whole'> {
  const rests = new Map<number, 'part' | 'whole'>()
  let width = 0
  for (let i = 1; i < line.length; i++) {
    const [one, next] = [line[i - 1]!, line[i]!]
    if (next !== one + 1 || !covered[i] || !covered[i - 1] || lines[next]!.depth > 0) continue
    if (lines[one]!.depth === 0 && !rests.has(one)) continue
    rests.set(next, 'part')
    if (lines[one]!.depth > 0) width = Math.max(width, lines[one]!.text.length)
  }
  if (width === 0) return rests
  for (let i = start + 1; i < end; i++) {
    const [above, line] = [lines[i - 1]!, lines[i]!]
    if (line.depth > 0 || isBlank(line.text) || isBlank(above.content)) continue
    const word = /^\s*\S*/.exec(line.text)![0].length
    const isRest = (above.depth > 0 || rests.has(i - 1)) && above.text.length + 1 + word > width
    if (isRest) rests.set(i, 'whole')
  }
  return rests
}
