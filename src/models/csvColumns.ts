import pg from 'pg'

/**
 * First characters a spreadsheet takes for the start of a formula, by code point: tab, line feed, carriage return,
 * + - = @ and the full-width forms of these four. A cell that begins with one is shown as text by an apostrophe.
 */
const formulaStarts = [9, 10, 13, 43, 45, 61, 64, 0xff0b, 0xff0d, 0xff1d, 0xff20].join(', ')

/** A text column, with nothing in it that a spreadsheet would run. */
export const guarded = (column: string) =>
  `case when ascii(${column}) in (${formulaStarts}) then '''' || ${column} else ${column} end`
/** An instant in UTC, the zone a file is made with. */
export const instant = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** COPY takes no parameters. The values are ids and words of fixed lists, and quoted all the same. */
export function literal(value: string | number): string {
  return typeof value === 'number' ? String(Number(value)) : pg.escapeLiteral(value)
}
