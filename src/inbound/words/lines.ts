/**
 * A line of an email: `depth` quote signs stand before its `content`. `sign`: the first of them;
 * empty for a line that nobody quoted.
 */
export type Line = { text: string; content: string; depth: number; sign: string }

/** `> > x`, ` >>x`, `| x`: what mail programs put before the lines they quote. */
const quoting = /^(?:[ \t\u00a0\u200b-\u200f\u2060\ufeff]*[>|│┃▌])+[ \t\u00a0]?/u

export function linesOf(text: string): Line[] {
  return text.split('\n').map((line) => {
    const [signs = ''] = quoting.exec(line) ?? []
    const bare = signs.replace(/[^>|│┃▌]/gu, '')
    return { text: line, content: line.slice(signs.length), depth: bare.length, sign: bare.slice(0, 1) }
  })
}

/** A line without a letter, a digit or a picture: blanks, and rules of dashes. */
export const isWordless = (text: string) => !/[\p{L}\p{N}\p{Extended_Pictographic}\p{S}]/u.test(text)

export const isBlank = (text: string) => !/[^\s\u00a0\u200b-\u200f\u2060\ufeff]/u.test(text)

/** `________`, `----------`, `* * *`: a line that divides. */
const rule = /^[\s*]*[-_=—─*]{3,}[\s*]*$/u
export const isRule = (text: string) => text.length < 300 && rule.test(text)

/** Whether the line ends in a colon, of any script. */
export const endsInColon = (text: string) => /[:：]["'*_\s]*$/u.test(text)

/** The line that mail programs put above a signature (RFC 3676, 4.3). */
export const isSignatureMark = ({ text }: Line) => text === '-- ' || text === '--\u00a0'

/** The lines as text: no blank ones at its ends, and no two one after the other. */
export function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
}
