import pg from 'pg'
import { isoText } from '../system/instants.js'

/** Regular expressions of PostgreSQL, as parts of a bracket. What a spreadsheet starts a new cell or line after. */
const separators = String.raw`,;|\t\n\r\v\f\u0085\u2028\u2029`
/** What it passes over at the start of a cell: blanks, invisible characters, and quotation marks as cells are put in. */
const passedOver = String.raw` "\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u206f\u3000\ufeff`
/** What then makes it a formula: = + - @, their full-width and their small forms. */
const formulas = String.raw`=+@\uff0b\uff0d\uff1d\uff20\ufe62\ufe63\ufe66\ufe6b-`

const formula = `(^|[${separators}])([${passedOver}]*)('*[${formulas}])`
const lineStart = String.raw`^('*[\t\n\r])`
/** Most texts have neither, and looking costs a fifth of replacing. */
const either = `(?:^|[${separators}])[${passedOver}]*'*[${formulas}]|^'*[\\t\\n\\r]`

/** A column of a file: its SQL, and whether it holds text that people wrote. */
export type CsvColumn = { sql: string; isText: boolean }

/**
 * A text column, with nothing in it that a spreadsheet would run, whichever character it separates cells by (decision
 * 7.7): an apostrophe before what would begin a formula, after any apostrophes that stand there already. So one less is
 * the text as it was.
 */
export const text = (column: string): CsvColumn => ({
  sql: `case when ${column} ~ ${literal(either)} then regexp_replace(regexp_replace(${column},
    ${literal(formula)}, ${literal(String.raw`\1\2'\3`)}, 'g'), ${literal(lineStart)}, ${literal(String.raw`'\1`)})
    else ${column} end`,
  isText: true,
})

/** A column of numbers, or of words of fixed lists. */
export const plain = (column: string): CsvColumn => ({ sql: column, isText: false })

/** An instant, as JSON has it. */
export const instant = (column: string) => plain(isoText(column))

/** The columns as a SELECT lists them, by the names of the file, and the names of those with text. */
export function columnsOf(columns: Record<string, CsvColumn>): { list: string; quoted: string[] } {
  const entries = Object.entries(columns)
  return {
    list: entries.map(([name, { sql }]) => `${sql} as "${name}"`).join(', '),
    quoted: entries.filter(([, { isText }]) => isText).map(([name]) => name),
  }
}

/** COPY takes no parameters. The values are ids and words of fixed lists, and quoted all the same. */
export function literal(value: string | number): string {
  return typeof value === 'number' ? String(Number(value)) : pg.escapeLiteral(value)
}
