import { isBlank, type Line } from './lines.js'

/** Quoted lines that follow one another: from `start` to before `end`. */
export type Quotation = { start: number; end: number }

/**
 * The quoted lines from this one on, with the blank ones between, to before the line `limit`; a
 * limit that is not after the first of them is none.
 */
export function quotationAt(lines: readonly Line[], start: number, limit: number): Quotation {
  let end = start + 1
  const most = limit > start ? limit : lines.length
  for (let i = end; i < most; i++) {
    if (lines[i]!.depth > 0) end = i + 1
    else if (!isBlank(lines[i]!.text)) break
  }
  return { start, end }
}

/**
 * Whether lines with quote signs that nothing introduces are a quotation: not those that go on with
 * a sentence ("It is / > 30 degrees"), that compare numbers, or that draw a table with bars.
 */
export function isQuotation({ start, end }: Quotation, lines: readonly Line[]): boolean {
  const quoted = lines.slice(start, end).filter(({ content }) => !isBlank(content))
  if (quoted.length === 0) return true
  if (quoted.some(({ sign }) => sign !== '>')) return false
  if (quoted.every(({ content }) => /^[\d€$£<=]/u.test(content))) return false
  return !goesOnWithSentence({ start, end }, lines)
}

/** Whether the lines go on with the sentence in the one above, which is no quotation. */
export function goesOnWithSentence({ start, end }: Quotation, lines: readonly Line[]): boolean {
  const above = lines[start - 1]
  if (!above || above.depth > 0 || isBlank(above.text) || /[.!?:;…)"”’«»]\s*$/u.test(above.text)) return false
  const quoted = lines.slice(start, end).filter(({ content }) => !isBlank(content))
  return quoted.length <= 2 && /^[\p{Ll}\d]/u.test(quoted[0]?.content ?? '')
}

/** Characters from which on a quoted line may have been wrapped. */
const longQuote = 60
const longestRest = 60

/**
 * Whether a line is the rest of the quoted one above it, which a program wrapped after it had
 * quoted it: it goes on in the middle of a sentence, and quoted lines follow.
 */
export function isRestOfQuote(lines: readonly Line[], i: number): boolean {
  const [above, line, below] = [lines[i - 1], lines[i], lines[i + 1]]
  if (!above || !line || !below || above.depth === 0 || line.depth > 0 || below.depth === 0) return false
  if (above.text.length < longQuote || line.text.length > longestRest) return false
  const word = /^\S*/.exec(line.text)![0].length
  return (
    /^\p{Ll}/u.test(line.text) &&
    !/[.!?:;…]\s*$/u.test(above.text) &&
    above.text.length + 1 + word > longQuote + 10
  )
}
