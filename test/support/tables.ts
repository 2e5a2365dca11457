import { readFileSync } from 'node:fs'
import path from 'node:path'
import { checkout } from './compiled.js'

/**
 * The rows of a table in `test/tables`, by the name of its file. Throws when the table is empty:
 * a test of no rows would pass.
 */
export function tableOf<Row>(name: string): Row[] {
  const file = path.join(checkout, 'test/tables', `${name}.json`)
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[]
  if (rows.length === 0) throw new Error(`${name}.json has no rows`)
  return rows
}

/** Every row with every column, row by row. */
export const eachWithEach = <Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
): [Row, Column][] => rows.flatMap((row) => columns.map((column): [Row, Column] => [row, column]))
