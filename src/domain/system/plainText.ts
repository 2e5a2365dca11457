import { limits } from './limits.js'

/** Characters of a text that are looked at: five times what is kept, so that what is cleaned away leaves enough. */
const mostText = 5 * limits.text

/** The first `max` code points, never half of one. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join('')
}

/** Many lines as PostgreSQL can keep them: no NUL or other control characters, no half characters, LF only (decision 4.5). */
export function cleanText(text: string): string {
  return text
    .slice(0, mostText)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}
