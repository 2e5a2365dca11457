import { headersAt } from './introducingHeaders.js'
import { sentenceAt } from './introducingSentence.js'
import type { Introduction } from './introduction.js'
import type { Line } from './lines.js'

/** The introductions of a text, in their order; none is part of another. */
export function introductionsOf(lines: readonly Line[]): Introduction[] {
  const introductions: Introduction[] = []
  for (let i = 0; i < lines.length; ) {
    const introduction = headersAt(lines, i) ?? sentenceAt(lines, i, introductions.at(-1)?.end ?? 0)
    if (introduction) introductions.push(introduction)
    i = introduction?.end ?? i + 1
  }
  return introductions
}
