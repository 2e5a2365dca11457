import { limits } from './limits.js'

/** Characters that are read: five times what is stored, so that enough is left after cleaning. */
const mostText = 5 * limits.text

/** The first `max` code points; never half a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join('')
}

/** The first `room` code points and, where something follows, an ellipsis. */
export function excerpt(text: string, room: number): string {
  const start = cut(text, room)
  return start === text ? text : `${start.trimEnd()}…`
}

/** At most `most` characters, ending in an ellipsis when cut. */
export function shorten(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** Whether anything of a text is seen: not only blanks, controls and letters without a shape. */
export const hasVisible = (text: string) =>
  /[^\s\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/**
 * Without the marks that begin and end a part of another direction, which phones copy along with
 * numbers and names: one that is not ended turns the rest of a sentence around.
 */
export const withoutDirections = (text: string) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

/**
 * Text PostgreSQL can store: no controls, no lone surrogates, LF only (decision 4.5). Of longer
 * texts, `most` characters are read.
 */
export function cleanText(text: string, most = mostText): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
}

/** Cleans a text as `cleanText` does, and puts it on a single line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}
