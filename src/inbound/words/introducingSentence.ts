import { saysWrote } from './headerNames.js'
import type { Introduction } from './introduction.js'
import { endsInColon, isBlank, type Line } from './lines.js'

/** Lines of a sentence such as "On … wrote:". */
const mostLines = 4
/** Its characters: a longer line also holds the sender's own text. */
export const longestSentence = 300
const saysWhen = /\d{1,2}[:.h]\d\d|\b\d{4}\b|\d{4}年|\d{1,2}\.\s?\d{1,2}\.\s?\d\d/u
const hasYear = /\b\d{4}\b|\d{4}年|\d{1,2}\.\s?\d{1,2}\.\s?\d\d/u
/** A person's own sentence ends above; "Mo." and "nov." end none. */
const endsSentence = /(?:[!?…]|(?:\p{L}{5,}|\d[:.]\d\d|\))\.)\s*$/u
const inBrackets = /[<([]\s*(?:mailto:)?[^\s<>@]+@[^\s<>@]+[>)\]]/u
/** Characters of a sentence that has a name and "wrote" and no more. */
const longestWithName = 80

/**
 * A sentence that introduces a quotation and ends in this line; it begins no earlier than `from`.
 */
export function sentenceAt(lines: readonly Line[], last: number, from: number): Introduction | null {
  const { depth, content } = lines[last]!
  if (!endsInColon(content) || content.length > longestSentence) return null
  const isFollowed = quoteFollows(lines, last + 1, depth)
  for (let count = 1; count <= mostLines && last - count + 1 >= from; count++) {
    const start = last - count + 1
    if (count > 1 && endsSentence.test(lines[start]!.content)) return null
    const sentence = lines.slice(start, last + 1)
    if (sentence.some((line) => line.depth !== depth || isBlank(line.content))) return null
    const text = sentence.map((line) => line.content.trim()).join(' ')
    if (text.length > longestSentence) return null
    const isSure = isSureSentence(text)
    if (!isSure && !(isFollowed && mayIntroduce(text))) continue
    const begin = start - (beginsEarlier(lines, start, from) ? 1 : 0)
    return { start: begin, end: last + 1, kind: 'sentence', marksForward: false, isSure, name: null, text }
  }
  return null
}

/** With date, address in brackets and "wrote", or ending in that address: no person writes so. */
function isSureSentence(text: string): boolean {
  if (!saysWhen.test(text) || !inBrackets.test(text)) return false
  return saysWrote(text) || /@[^\s<>@]+>["'*_\s]*[:：]["'*_\s]*$/u.test(text)
}

/** Enough where quoted lines follow. */
function mayIntroduce(text: string): boolean {
  if (saysWrote(text)) return saysWhen.test(text) || text.includes('@') || text.length < longestWithName
  return saysWhen.test(text) && inBrackets.test(text)
}

/** Whether quoted lines follow, after at most two blank ones. */
export function quoteFollows(lines: readonly Line[], start: number, depth = 0): boolean {
  let i = start
  while (i < lines.length && i < start + 2 && lines[i]!.depth <= depth && isBlank(lines[i]!.content)) i++
  return i < lines.length && lines[i]!.depth > depth
}

/** Whether the sentence was wrapped after its date, so that it starts a line earlier. */
function beginsEarlier(lines: readonly Line[], start: number, from: number): boolean {
  const before = lines[start - 1]
  if (start - 1 < from || !before || before.depth !== lines[start]!.depth) return false
  const text = before.content
  return !saysWhen.test(lines[start]!.content) && hasYear.test(text) && !/[.!?…:]\s*$/u.test(text)
}
