import type { Line } from '../lines.js'

/**
 * The letters of a text as one stream, folded, without blanks, quote signs and wraps; of each, the
 * line it stands in and its place there. `starts`, `ends`: whether a word does so at this letter.
 */
export type Letters = {
  stream: string
  line: Int32Array
  at: Int32Array
  starts: Uint8Array
  ends: Uint8Array
}

/** Text for comparing: letters, digits and #, in one case, without blanks, quotes and wraps. */
export const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '')

const letter = /[\p{L}\p{N}]/u

export function lettersOf(lines: readonly Line[]): Letters {
  const letters: string[] = []
  const line: number[] = []
  const at: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const [number, { content }] of lines.entries()) {
    let isInWord = false
    let place = 0
    for (const sign of content) {
      const isLetter = letter.test(sign)
      if (!isLetter && ends.length > 0) ends[ends.length - 1] = 1
      if (isLetter || sign === '#' || sign === '＃') {
        for (const unit of folded(sign).split('')) {
          letters.push(unit)
          line.push(number)
          at.push(place)
          starts.push(isInWord ? 0 : 1)
          ends.push(0)
        }
      }
      isInWord = isLetter
      place += sign.length
    }
    if (ends.length > 0) ends[ends.length - 1] = 1
  }
  return {
    stream: letters.join(''),
    line: Int32Array.from(line),
    at: Int32Array.from(at),
    starts: Uint8Array.from(starts),
    ends: Uint8Array.from(ends),
  }
}
