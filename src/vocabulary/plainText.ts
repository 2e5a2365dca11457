import { limits } from './limits.js'

/** Characters that are read: five times what is stored, so that enough is left after cleaning. */
const mostText = 5 * limits.text

/** The first `max` code points; never half a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join('')
}

/** Text PostgreSQL can store: no controls, no lone surrogates, LF only (decision 4.5). */
export function cleanText(text: string): string {
  return text
    .slice(0, mostText)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
}

/** The same in a single line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}
