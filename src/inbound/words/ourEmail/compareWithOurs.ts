import type { Line } from '../lines.js'
import { Coverage, type Recognition } from './coverage.js'
import { coverSentence, isLong, placesOf } from './coverSentences.js'
import { folded, type Letters, lettersOf } from './letters.js'
import type { KnownTexts } from './ownLine.js'
import { footers, type QuoteMarks, storedSentences, telltales, templates } from './ownSentences.js'

export const longTelltales = telltales.filter(isLong)
const longTemplates = templates.filter(isLong)

/**
 * A text beside all that an email of ours can contain.
 */
export type Comparison = KnownTexts & {
  letters: Letters
  coverage: Coverage
  /** The first letter of our first line, else of a sentence that only we write. */
  firstLetter: number | null
  hasMark: boolean
  hasFooter: boolean
  /** The number of the line that closes it; null without one. */
  lastLine: number | null
}

/** Marks all letters of our sentences. `marks`: our first line in every language, folded. */
export function compareWithOurs(
  lines: readonly Line[],
  quoteMarks: QuoteMarks,
  marks: readonly string[],
  storedTexts: readonly string[],
): Comparison {
  const letters = lettersOf(lines)
  const contents = lines.map(({ content }) => content)
  const coverage = new Coverage(letters.stream.length)
  const sentences = storedSentences(storedTexts)
  const closing = folded(quoteMarks.closing)
  const telltalePlaces = longTelltales
    .map((each) => coverSentence(letters, each, coverage, 'template', contents))
    .filter((at) => at >= 0)
  const markPlaces = marks.flatMap((each) => placesOf(letters, each))
  const places = markPlaces.length > 0 ? markPlaces : telltalePlaces
  const firstLetter = places.length > 0 ? Math.min(...places) : null
  if (firstLetter !== null) {
    for (const each of longTemplates) coverSentence(letters, each, coverage, 'template', contents)
    for (const each of [...marks, closing]) coverPlain(letters, each, coverage, 'template')
    for (const each of sentences) coverPlain(letters, each, coverage, 'stored')
  }
  const names = quoteMarks.names.map(folded)
  const footer = Math.max(...footers.map(({ parts }) => letters.stream.lastIndexOf(parts[0]!)))
  const closingStart = footer < 0 || closing === '' ? -1 : letters.stream.indexOf(closing, footer)
  return {
    letters,
    coverage,
    firstLetter,
    hasMark: markPlaces.length > 0,
    hasFooter: footer >= 0,
    lastLine: closingStart < 0 ? null : letters.line[closingStart + closing.length - 1]!,
    stored: sentences,
    names,
    closing,
  }
}

function coverPlain(letters: Letters, sentence: string, coverage: Coverage, recognition: Recognition): void {
  if (!isLong({ parts: [sentence], isOpenBefore: false, isOpenAfter: false })) return
  for (const at of placesOf(letters, sentence)) coverage.mark(at, at + sentence.length, recognition)
}
