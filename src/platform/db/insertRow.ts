import type pg from 'pg'
import type { Change } from './change.js'
import { columnOf } from './fieldNames.js'
import { type Bind, statement } from './statement.js'

/**
 * The values of a new row by field; a function is the SQL of a value and binds its own parameters.
 */
export type NewRow = Record<string, unknown | ((bind: Bind) => string)>

/**
 * Inserts one row. `ending`: SQL after the values, such as `returning id`. Returns the rows that
 * the ending returns.
 */
export async function insertRow<T extends pg.QueryResultRow>(
  c: Change,
  table: string,
  row: NewRow,
  ending = '',
): Promise<T[]> {
  const { text, values } = statement((bind) => {
    const columns = Object.keys(row).map(columnOf)
    const sqlOfValues = Object.values(row).map((value) =>
      typeof value === 'function' ? value(bind) : bind(value),
    )
    return `insert into ${table} (${columns.join(', ')}) values (${sqlOfValues.join(', ')}) ${ending}`
  })
  return c.query<T>(text, values)
}
