import { isMark } from './introducingHeaders.js'
import { quoteFollows } from './introducingSentence.js'
import type { Introduction } from './introduction.js'
import { introductionsOf } from './introductions.js'
import { isBlank, isRule, isSignatureMark, isWordless, joined, type Line, linesOf } from './lines.js'
import { lengthWithoutIntroduction } from './ourEmail/introductionAboveOurs.js'
import { type OwnQuote, ownQuoteIn, type QuoteContext } from './ourEmail/ownQuote.js'
import { goesOnWithSentence, isQuotation, isRestOfQuote, type Quotation, quotationAt } from './quotation.js'

/**
 * What is known of a text: `isAnswer`, `isForwarded` by its subject, and how our own email is
 * recognised in it.
 */
export type TextContext = QuoteContext & { isAnswer: boolean; isForwarded: boolean }

/**
 * What the writer of an email added: all words but our own quoted email, the history below a header
 * that a mail program writes, and a signature (decision 9.1). Of a forwarded email all words are
 * new, and its header becomes the name of its first sender (decision 9.7).
 */
export function newWordsOf(text: string, context: TextContext): { words: string; quotesOurs: boolean } {
  const lines = linesOf(text.normalize('NFC'))
  const introductions = introductionsOf(lines)
  const quote = ownQuoteIn(lines, introductions, context)
  return { words: joined(newLinesOf(lines, introductions, quote, context)), quotesOurs: quote !== null }
}

/** A text, and where the reading of it has come to. */
type Reading = {
  lines: readonly Line[]
  context: TextContext
  /** Each introduction by the number of its first line. */
  introductionAt: ReadonlyMap<number, Introduction>
  /** Our email that it quotes. */
  quote: OwnQuote | null
  isReply: boolean
  /** What is new so far. */
  newLines: string[]
  /** A mail program introduced the quoted lines that follow. */
  isQuoting: boolean
  isSignature: boolean
  /** Quote signs before the lines of the forwarded email; null outside of one. */
  forwardedDepth: number | null
}

/** Goes through the lines from top to bottom and keeps those that are new. */
function newLinesOf(
  lines: readonly Line[],
  introductions: readonly Introduction[],
  quote: OwnQuote | null,
  context: TextContext,
): string[] {
  const reading: Reading = {
    lines,
    context,
    introductionAt: new Map(introductions.map((each) => [each.start, each])),
    quote,
    isReply: context.isAnswer || quote !== null,
    newLines: [],
    isQuoting: false,
    isSignature: false,
    forwardedDepth: null,
  }
  // Each step returns the line to go on with, or null for what is not its own.
  for (let i = 0; i < lines.length; ) {
    i =
      readOwnQuote(reading, i) ??
      readIntroduction(reading, i) ??
      readQuotation(reading, i) ??
      readLine(reading, i)
  }
  return reading.newLines
}

/** Keeps the answers in our quoted email, which begins in this line. */
function readOwnQuote(reading: Reading, start: number): number | null {
  const { lines, context, introductionAt, quote, newLines } = reading
  if (quote === null || start !== quote.start) return null
  newLines.length = lengthWithoutIntroduction(newLines, context.quoteMarks.names)
  dropRules(newLines)
  for (let i = start; i < quote.end; i++) {
    const older = i > start ? introductionAt.get(i) : undefined
    if (older && isHistory(older, lines) && !context.isForwarded) return lines.length
    keepAnswer(newLines, lines[i]!, quote.answers.get(i))
  }
  reading.isQuoting = true
  reading.isSignature = false
  reading.forwardedDepth = null
  return afterRules(lines, quote.end)
}

/** Drops the introduction that begins in this line, or makes a name of a forwarded email's one. */
function readIntroduction(reading: Reading, start: number): number | null {
  const { lines, introductionAt, quote, newLines } = reading
  const introduction = introductionAt.get(start)
  if (!introduction) return null
  if (quote && isDirectlyAbove(introduction, quote, lines)) {
    dropRules(newLines)
    return introduction.end
  }
  const role = roleOf(introduction, reading)
  if (role === 'words') return null
  reading.isSignature = false
  if (role === 'forward') {
    startForwarded(reading, introduction)
    return introduction.end
  }
  dropRules(newLines)
  if (role === 'history') return lines.length
  reading.isQuoting = true
  return introduction.end
}

/** Drops quoted lines that begin in this one, or keeps them where they are no quotation. */
function readQuotation(reading: Reading, start: number): number | null {
  const { lines, context, quote, isReply } = reading
  if (lines[start]!.depth === 0) return null
  const limit = quote?.start ?? lines.length
  const quotation = quotationAt(lines, start, limit)
  if (!isReply || context.isForwarded || !isDropped(quotation, reading)) {
    for (let i = start; i < quotation.end; i++) keepLine(reading, lines[i]!)
    return quotation.end
  }
  reading.isSignature = false
  let end = quotation.end
  while (end < limit && isRestOfQuote(lines, end)) end++
  return end
}

function readLine(reading: Reading, i: number): number {
  keepLine(reading, reading.lines[i]!)
  return i + 1
}

/** What an introduction means here. */
type Role = 'words' | 'quotation' | 'history' | 'forward'

function roleOf(introduction: Introduction, reading: Reading): Role {
  const { lines, newLines, forwardedDepth, isReply } = reading
  const { isForwarded } = reading.context
  const { kind, end, marksForward, isSure } = introduction
  const { depth } = lines[introduction.start]!
  const isQuoted = quoteFollows(lines, end, depth)
  if (kind === 'sentence') {
    if (!isReply || isForwarded || forwardedDepth !== null || depth > 0) return 'words'
    return isQuoted ? 'quotation' : isSure ? 'history' : 'words'
  }
  // Without a word above it, the sender passed the email on.
  const isAlone = newLines.every(isWordless)
  if (!isReply || isForwarded || marksForward || isAlone || forwardedDepth !== null) return 'forward'
  if (depth > 0) return 'words'
  return isQuoted ? 'quotation' : 'history'
}

/** What was quoted along with our email: an older answer, and ours before it. */
const isHistory = ({ kind, isSure, start }: Introduction, lines: readonly Line[]) =>
  lines[start]!.depth === 0 && (kind === 'headers' || isSure)

function isDirectlyAbove({ end }: Introduction, { start }: OwnQuote, lines: readonly Line[]): boolean {
  return end <= start && lines.slice(end, start).every(({ content }) => isBlank(content))
}

/** Whether quoted lines are a quotation that the sender of a reply did not write. */
function isDropped(
  quotation: Quotation,
  { lines, introductionAt, isQuoting, forwardedDepth }: Reading,
): boolean {
  if (forwardedDepth !== null) return false
  if (goesOnWithSentence(quotation, lines)) return false
  return isQuoting || introductionAt.has(quotation.start) || isQuotation(quotation, lines)
}

function startForwarded(reading: Reading, { name, end }: Introduction): void {
  const { lines, newLines } = reading
  reading.forwardedDepth = lines[end - 1]!.depth
  if (newLines.length > 0) newLines.push('')
  if (name !== null) newLines.push(name, '')
}

/** Keeps a line that is no quotation; a signature ends with the next quotation. */
function keepLine(reading: Reading, line: Line): void {
  if (isSignatureMark(line)) reading.isSignature = true
  if (reading.isSignature) return
  const isOfForwarded = reading.forwardedDepth !== null && reading.forwardedDepth > 0
  reading.newLines.push(isOfForwarded ? line.content : line.text)
}

/** Keeps what someone else wrote in a line of our email as a line of its own. */
function keepAnswer(newLines: string[], line: Line, answer = ''): void {
  if (answer !== '') newLines.push(answer)
  else if (isBlank(line.content)) newLines.push('')
}

/** A rule at the edge of a quotation divides nothing once the quotation is gone. */
function dropRules(newLines: string[]): void {
  const divides = (line: string) => isBlank(line) || isRule(line) || isMark(line)
  while (newLines.length > 0 && divides(newLines.at(-1)!)) newLines.pop()
  if (newLines.length > 0) newLines.push('')
}

function afterRules(lines: readonly Line[], start: number): number {
  let i = start
  while (i < lines.length && lines[i]!.depth === 0 && (isBlank(lines[i]!.text) || isRule(lines[i]!.text))) i++
  return i
}
