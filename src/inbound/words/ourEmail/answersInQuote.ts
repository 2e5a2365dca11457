import { isBlank, type Line } from '../lines.js'
import type { Comparison } from './compareWithOurs.js'
import { answerInLine, isLabel, type LinePieces, type OwnLine, piecesOf } from './ownLine.js'

/**
 * What someone else wrote in each line of the region that our quoted email takes. `isExact`: nobody
 * wrapped its lines.
 */
export function answersIn(
  lines: readonly Line[],
  region: { start: number; end: number },
  comparison: Comparison,
  isExact: boolean,
): Map<number, string> {
  const { letters, coverage, firstLetter } = comparison
  const pieces = piecesOf(lines, letters, coverage)
  const isQuoted = lines[letters.line[firstLetter!]!]!.depth > 0
  const wrappedLines = findWrappedLines(lines, region, comparison)
  const answers = new Map<number, string>()
  const last = lines.findLastIndex(({ content }) => !isBlank(content))
  let isValue = false
  for (let i = region.start; i < region.end; i++) {
    const { content, depth } = lines[i]!
    if (isBlank(content)) {
      answers.set(i, '')
      continue
    }
    const ofLine: LinePieces = pieces.get(i) ?? { unknownPieces: [content], recognition: 'none' }
    const line: OwnLine = { content, ...ofLine, isValue, isLast: i === last }
    const answer = answerInLine(line, comparison)
    isValue = isLabel(content)
    if (wrappedLines.has(i)) answers.set(i, wrappedLines.get(i) === 'allOurs' ? '' : answer)
    else if (depth > 0) {
      const isCompared = isExact || !isQuoted
      answers.set(i, isCompared && isBesideStored(lines, i, pieces) ? answer : '')
    }
    // Where our lines have quote signs, one without is an answer, whatever it says.
    else answers.set(i, isQuoted ? content.trim() : answer)
  }
  return answers
}

/**
 * Whether a quoted line is part of a stored text, or stands beside one: people answer there. Any
 * other belongs to the quotation.
 */
function isBesideStored(lines: readonly Line[], i: number, pieces: ReadonlyMap<number, LinePieces>): boolean {
  const isStored = (at: number) => pieces.get(at)?.recognition === 'stored'
  const beside = [-1, 1].map((step) => {
    let at = i + step
    while (lines[at]?.depth === lines[i]!.depth && isBlank(lines[at]!.content)) at += step
    return lines[at]?.depth === lines[i]!.depth && isStored(at)
  })
  return isStored(i) || beside.some(Boolean)
}

/**
 * Lines without a sign that a program wrapped off a quoted one after it had quoted it. It did, when
 * a sentence of ours goes on in such a line (`oursGoesOn`); then the width of its lines tells of
 * the others (`allOurs`).
 */
function findWrappedLines(
  lines: readonly Line[],
  { start, end }: { start: number; end: number },
  { letters: { line }, coverage }: Comparison,
): ReadonlyMap<number, 'oursGoesOn' | 'allOurs'> {
  const wrappedLines = new Map<number, 'oursGoesOn' | 'allOurs'>()
  let width = 0
  for (let i = 1; i < line.length; i++) {
    const [above, below] = [line[i - 1]!, line[i]!]
    if (below !== above + 1 || !coverage.has(i) || !coverage.has(i - 1) || lines[below]!.depth > 0) continue
    if (lines[above]!.depth === 0 && !wrappedLines.has(above)) continue
    wrappedLines.set(below, 'oursGoesOn')
    if (lines[above]!.depth > 0) width = Math.max(width, lines[above]!.text.length)
  }
  if (width === 0) return wrappedLines
  for (let i = start + 1; i < end; i++) {
    const [above, line] = [lines[i - 1]!, lines[i]!]
    if (line.depth > 0 || isBlank(line.text) || isBlank(above.content)) continue
    const word = /^\s*\S*/.exec(line.text)![0].length
    const isWrapped = (above.depth > 0 || wrappedLines.has(i - 1)) && above.text.length + 1 + word > width
    if (isWrapped) wrappedLines.set(i, 'allOurs')
  }
  return wrappedLines
}
