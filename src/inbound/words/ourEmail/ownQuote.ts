import type { Introduction } from '../introduction.js'
import { isBlank, isSignatureMark, type Line } from '../lines.js'
import { answersIn } from './answersInQuote.js'
import { type Comparison, compareWithOurs, longTelltales } from './compareWithOurs.js'
import { longestPartOf } from './coverSentences.js'
import { folded } from './letters.js'
import { lists, type QuoteMarks } from './ownSentences.js'

/**
 * Our email, quoted in the lines from `start` to before `end`. `answers`: what someone else wrote
 * in each of them; empty where all of it is ours.
 */
export type OwnQuote = { start: number; end: number; answers: ReadonlyMap<number, string> }

/**
 * What our email is recognised by. `storedTexts`: what it may quote. `isExact`: the text was HTML,
 * so that nobody wrapped its lines and quoted ones can be compared as well.
 */
export type QuoteContext = { quoteMarks: QuoteMarks; storedTexts: readonly string[]; isExact: boolean }

const listKeys = lists.map(longestPartOf)
const telltaleKeys = longTelltales.map(longestPartOf)

/**
 * Finds our email in a text by its first line, or by sentences that only our emails have, and
 * compares it line by line with all that it can contain (decision 9.1). Null when there is none.
 */
export function ownQuoteIn(
  lines: readonly Line[],
  introductions: readonly Introduction[],
  { quoteMarks, storedTexts, isExact }: QuoteContext,
): OwnQuote | null {
  const marks = quoteMarks.writeAbove.map(folded).filter(Boolean)
  const all = folded(lines.map(({ content }) => content).join('\n'))
  if (![...marks, ...telltaleKeys].some((key) => all.includes(key))) return null
  const comparison = compareWithOurs(lines, quoteMarks, marks, storedTexts)
  if (comparison.firstLetter === null) return null
  const region = regionOf(lines, comparison, isExact)
  const start = startBelow(introductions, region.start, quoteMarks.names)
  const { end } = region
  // What such an email lists is known to no single report, and nobody answers between its lines.
  if (listKeys.some((key) => all.includes(key))) return { start, end, answers: new Map() }
  return { start, end, answers: answersIn(lines, { start, end }, comparison, isExact) }
}

/** Our email begins below the header that names us, whatever stands between. */
function startBelow(introductions: readonly Introduction[], start: number, names: readonly string[]): number {
  const above = introductions.filter(({ end }) => end <= start).at(-1)
  const text = above?.text.toLowerCase() ?? ''
  return above && names.some((name) => name !== '' && text.includes(name)) ? above.end : start
}

/** From the first to the last line that is ours. */
function regionOf(
  lines: readonly Line[],
  { letters, coverage, firstLetter, hasMark, hasFooter, lastLine, closing, names }: Comparison,
  isExact: boolean,
): { start: number; end: number } {
  let start = letters.line[firstLetter!]!
  if (!hasMark) {
    const ours = new Set(letters.line.filter((_, i) => coverage.at(i) === 'template'))
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
