import type pg from 'pg'
import { fieldOf } from './fieldNames.js'

type Sends = { query: (config: pg.QueryArrayConfig) => Promise<pg.QueryArrayResult | pg.QueryArrayResult[]> }

/**
 * Runs a statement; its rows have the fields of their columns, `createdAt` of `created_at`. The
 * driver hands over lists of values, so that a name is converted once per result and not per row.
 * A text of several commands answers without rows.
 */
export async function rowsByField<Row extends pg.QueryResultRow>(
  sender: Sends,
  statement: pg.QueryConfig,
): Promise<Row[]> {
  const result = await sender.query({ ...statement, rowMode: 'array' })
  if (Array.isArray(result)) return []
  const fields = result.fields.map(({ name }) => fieldOf(name))
  return result.rows.map((values) => rowFrom(fields, values) as Row)
}

function rowFrom(fields: readonly string[], values: readonly unknown[]): pg.QueryResultRow {
  const row: pg.QueryResultRow = {}
  // A loop by index: this runs for every value that is read.
  for (let i = 0; i < fields.length; i += 1) row[fields[i]!] = values[i]
  return row
}
