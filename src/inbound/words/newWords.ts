import { type Introduction, introductionsOf, isMark, quoteFollows } from './introductions.js'
import { isBlank, isRule, isSignatureMark, isWordless, joined, type Line, linesOf } from './lines.js'
import { withoutIntroduction } from './ownIntroduction.js'
import { type OwnQuote, ownQuoteIn } from './ownQuote.js'
import type { QuoteMarks } from './ownSentences.js'
import { goesOnWithSentence, isQuotation, isRestOfQuote, type Quotation, quotationAt } from './quotation.js'

/**
 * What is known of a text: `isAnswer`, `isForwarded` by its subject; `quoteMarks`, `storedTexts`: how
 * our own emails are recognised; `isExact`: it was HTML, so that nobody wrapped its lines.
 */
export type TextContext = {
  isAnswer: boolean
  isForwarded: boolean
  quoteMarks: QuoteMarks
  storedTexts: readonly string[]
  isExact: boolean
}

/**
 * What the writer of an email added: all words but our own quoted email, the history below a header
 * that a mail program writes, and a signature (decision 9.1). Of a forwarded email all words are
 * new, and its header becomes the name of its first sender (decision 9.7).
 */
export function newWordsOf(text: string, context: TextContext): { words: string; quotesOurs: boolean } {
  const lines = linesOf(text.normalize('NFC'))
  const introductions = introductionsOf(lines)
  const ours = ownQuoteIn(lines, introductions, context)
  return { words: joined(keptLines(lines, introductions, ours, context)), quotesOurs: ours !== null }
}

/** Where the reading of an email has come to. */
type Progress = {
  newLines: string[]
  /** A mail program introduced the quoted lines that follow. */
  isQuoting: boolean
  isSignature: boolean
  /** Quote signs before the lines of the forwarded email; null outside of one. */
  forwardedDepth: number | null
}

/** Goes through the lines from top to bottom and keeps those that are new. */
function keptLines(
  lines: readonly Line[],
  introductions: readonly Introduction[],
  ours: OwnQuote | null,
  context: TextContext,
): string[] {
  const at = new Map(introductions.map((each) => [each.start, each]))
  const start = ours?.start ?? lines.length
  const end = ours?.end ?? lines.length
  const isReply = context.isAnswer || ours !== null
  const progress: Progress = { newLines: [], isQuoting: false, isSignature: false, forwardedDepth: null }
  const { newLines } = progress
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!
    if (ours && i === start) {
      newLines.length = withoutIntroduction(newLines, context.quoteMarks.names)
      dropRules(newLines)
      for (; i < end; i++) {
        const older = at.get(i)
        if (i > start && older && isHistory(older, lines) && !context.isForwarded) return newLines
        keepLeft(newLines, lines[i]!, ours.left.get(i))
      }
      Object.assign(progress, { isQuoting: true, isSignature: false, forwardedDepth: null })
      i = afterRules(lines, end)
      continue
    }
    const introduction = at.get(i)
    if (introduction && ours && introduction.end <= start && isDirectlyAbove(introduction, lines, start)) {
      dropRules(newLines)
      i = introduction.end
      continue
    }
    const role = introduction ? roleOf(introduction, lines, progress, context, isReply) : 'words'
    if (introduction && role !== 'words') {
      progress.isSignature = false
      if (role !== 'forward') dropRules(newLines)
      if (role === 'history') break
      if (role === 'quotation') progress.isQuoting = true
      else keepName(progress, introduction, lines[introduction.end - 1]!.depth)
      i = introduction.end
      continue
    }
    const quotation = line.depth > 0 ? quotationAt(lines, i, start) : null
    if (quotation && isReply && !context.isForwarded && goes(quotation, lines, progress, at)) {
      progress.isSignature = false
      i = quotation.end
      while (i < start && isRestOfQuote(lines, i)) i++
      continue
    }
    const next = quotation?.end ?? i + 1
    for (; i < next; i++) keepLine(progress, lines[i]!)
  }
  return newLines
}

/** What an introduction means here. */
type Role = 'words' | 'quotation' | 'history' | 'forward'

function roleOf(
  introduction: Introduction,
  lines: readonly Line[],
  { newLines, forwardedDepth }: Progress,
  { isForwarded }: TextContext,
  isReply: boolean,
): Role {
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

function isDirectlyAbove({ end }: Introduction, lines: readonly Line[], start: number): boolean {
  for (let i = end; i < start; i++) if (!isBlank(lines[i]!.content)) return false
  return true
}

function goes(
  quotation: Quotation,
  lines: readonly Line[],
  { isQuoting, forwardedDepth }: Progress,
  introductions: ReadonlyMap<number, Introduction>,
): boolean {
  if (forwardedDepth !== null) return false
  if (goesOnWithSentence(quotation, lines)) return false
  return isQuoting || introductions.has(quotation.start) || isQuotation(quotation, lines)
}

function keepName(progress: Progress, { name }: Introduction, depth: number): void {
  progress.forwardedDepth = depth
  if (progress.newLines.length > 0) progress.newLines.push('')
  if (name !== null) progress.newLines.push(name, '')
}

/** Keeps a line that is no quotation; a signature ends with the next quotation. */
function keepLine(progress: Progress, line: Line): void {
  if (isSignatureMark(line)) progress.isSignature = true
  if (progress.isSignature) return
  const isOfForwarded = progress.forwardedDepth !== null && progress.forwardedDepth > 0
  progress.newLines.push(isOfForwarded ? line.content : line.text)
}

/** What is left of a line of our email, as a line of its own. */
function keepLeft(newLines: string[], line: Line, left = ''): void {
  if (left !== '') newLines.push(left)
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
