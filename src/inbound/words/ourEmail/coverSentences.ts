import type { Coverage, Recognition } from './coverage.js'
import type { Letters } from './letters.js'
import { longSentence, type OwnSentence } from './ownSentences.js'

/** Letters between two parts of a sentence, and how often a sentence is looked for. */
const longestGap = 80
const mostPlaces = 200

/**
 * Marks in `coverage` where a sentence stands in the letters, however wrapped; returns the first
 * place, or -1.
 */
export function coverSentence(
  letters: Letters,
  sentence: OwnSentence,
  coverage: Coverage,
  recognition: Recognition,
  contents: readonly string[],
): number {
  const key = indexOfLongest(sentence.parts)
  let first = -1
  for (const at of placesOf(letters, sentence.parts[key]!)) {
    const span = wholeSentence(letters, sentence, key, at)
    if (!span) continue
    const start = sentence.isOpenBefore ? startOfSentence(letters, span.start, contents) : span.start
    const end = sentence.isOpenAfter ? endOfSentence(letters, span.end, contents) : span.end
    coverage.mark(start, end, recognition)
    if (first < 0) first = start
  }
  return first
}

/** Where these letters stand as whole words. */
export function placesOf({ stream, starts, ends }: Letters, part: string): number[] {
  const places: number[] = []
  for (
    let at = stream.indexOf(part);
    at >= 0 && places.length < mostPlaces;
    at = stream.indexOf(part, at + 1)
  ) {
    if (starts[at] && ends[at + part.length - 1]) places.push(at)
  }
  return places
}

function indexOfLongest(parts: readonly string[]): number {
  let longest = 0
  for (const [i, part] of parts.entries()) if (part.length > parts[longest]!.length) longest = i
  return longest
}

/** The longest part of a sentence: where it is missing, so is the sentence. */
export const longestPartOf = ({ parts }: OwnSentence): string => parts[indexOfLongest(parts)]!

/** All parts of the sentence around its longest; null when one is missing. */
function wholeSentence(
  { stream }: Letters,
  { parts }: OwnSentence,
  key: number,
  at: number,
): { start: number; end: number } | null {
  let [start, end] = [at, at + parts[key]!.length]
  for (const part of parts.slice(key + 1)) {
    const offset = stream.slice(end, end + longestGap + part.length).indexOf(part)
    if (offset < 0) return null
    end += offset + part.length
  }
  for (const part of parts.slice(0, key).reverse()) {
    const from = Math.max(0, start - longestGap - part.length)
    const offset = stream.slice(from, start).lastIndexOf(part)
    if (offset < 0) return null
    start = from + offset
  }
  return { start, end }
}

const sentenceEnd = /[.!?:]+(?=\s|$)/u

/** To where the sentence ends in its line. */
function endOfSentence({ line, at }: Letters, end: number, contents: readonly string[]): number {
  const last = end - 1
  const rest = contents[line[last]!]!.slice(at[last]!)
  const stop = at[last]! + Math.min(sentenceEnd.exec(rest)?.index ?? rest.length, 2 * longestGap)
  let to = end
  while (to < line.length && line[to] === line[last] && at[to]! < stop) to++
  return to
}

/** From where the sentence starts in its line. */
function startOfSentence({ line, at }: Letters, start: number, contents: readonly string[]): number {
  const before = contents[line[start]!]!.slice(Math.max(0, at[start]! - 2 * longestGap), at[start]!)
  const stop = at[start]! - (before.split(/[.!?]\s/u).at(-1)?.length ?? 0)
  let from = start
  while (from > 0 && line[from - 1] === line[start] && at[from - 1]! >= stop) from--
  return from
}

/** Whether a sentence is long enough to be recognised in the middle of a text. */
export const isLong = (sentence: OwnSentence) => longestPartOf(sentence).length >= longSentence
