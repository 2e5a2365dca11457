import pg from 'pg'

/** For a bracket of a regular expression: after these a spreadsheet starts a new cell or line. */
const separators = String.raw`,;|\t\n\r\v\f\u0085\u2028\u2029`
/** Spreadsheets skip these at the start of a cell: blanks, invisible characters, quotes. */
const skippedBySpreadsheets = String.raw` "\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u206f\u3000\ufeff`
/** Characters that then start a formula: = + - @, with their full-width and small forms. */
const formulas = String.raw`=+@\uff0b\uff0d\uff1d\uff20\ufe62\ufe63\ufe66\ufe6b-`

const formula = `(^|[${separators}])([${skippedBySpreadsheets}]*)('*[${formulas}])`
const lineStart = String.raw`^('*[\t\n\r])`
/** Most texts need no change, and this test costs a fifth of the replacement. */
const needsEscape = `(?:^|[${separators}])[${skippedBySpreadsheets}]*'*[${formulas}]|^'*[\\t\\n\\r]`

/** A column of a file: its SQL, and whether it holds text written by people. */
export type CsvColumn = { sql: string; isText: boolean }

/**
 * A text column that no spreadsheet runs as a formula, whatever its separator (decision 7.7): an
 * apostrophe goes before a formula sign, after any there already, so removing one restores the
 * text.
 */
export const csvText = (column: string): CsvColumn => ({
  sql: `case when ${column} ~ ${literal(needsEscape)} then regexp_replace(regexp_replace(${column},
    ${literal(formula)}, ${literal(String.raw`\1\2'\3`)}, 'g'), ${literal(lineStart)}, ${literal(String.raw`'\1`)})
    else ${column} end`,
  isText: true,
})

/** A column of numbers or fixed words. */
export const csvPlain = (column: string): CsvColumn => ({ sql: column, isText: false })

/** An instant, in ISO 8601 as in JSON. */
export const csvInstant = (column: string) => csvPlain(`iso_text(${column})`)

/** The select list of these columns, by heading, and the headings of text columns. */
export function columnsOf(columns: Record<string, CsvColumn>): { list: string; quoted: string[] } {
  const entries = Object.entries(columns)
  return {
    list: entries.map(([name, { sql }]) => `${sql} as "${name}"`).join(', '),
    quoted: entries.filter(([, { isText }]) => isText).map(([name]) => name),
  }
}

/** A quoted SQL literal, because COPY takes no parameters. Lists are arrays, instants ISO 8601. */
export function literal(value: string | number | Date | readonly number[]): string {
  if (typeof value === 'number') return String(Number(value))
  if (value instanceof Date) return literal(value.toISOString())
  return pg.escapeLiteral(typeof value === 'string' ? value : `{${value.map(Number).join()}}`)
}
