import { query } from '../../src/platform/db/database.js'

/** The first column of every row. */
export const column = async <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
  (await query(sql, values)).map((row) => Object.values(row)[0] as T)

/** The first column of the first row; throws where there is none. */
export const scalar = async <T>(sql: string, values: unknown[] = []): Promise<T> =>
  Object.values((await query(sql, values))[0]!)[0] as T

/** How many rows a `from` clause has. */
export const count = (from: string, values: unknown[] = []): Promise<number> =>
  scalar<number>(`select count(*)::integer from ${from}`, values)

/** Inserts one row, for what the product has no act for; returns it as the database stores it. */
export async function insertRow<T = { id: number }>(
  table: string,
  columns: Record<string, unknown>,
): Promise<T> {
  const names = Object.keys(columns)
  const places = names.map((_name, i) => `$${i + 1}`)
  const rows = await query(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning *`,
    Object.values(columns),
  )
  return rows[0] as T
}

/**
 * Inserts so many rows in one statement, for tests of volume; returns their ids. Each column is an
 * SQL expression over `n`, the number of the row from 1 to `count`.
 */
export function manyRows(table: string, count: number, columns: Record<string, string>): Promise<number[]> {
  return column<number>(manyRowsSql(table, count, columns))
}

/** The statement of `manyRows`, for connections of others than the application. */
export function manyRowsSql(table: string, count: number, columns: Record<string, string>): string {
  return `insert into ${table} (${Object.keys(columns).join(', ')})
     select ${Object.values(columns).join(', ')} from generate_series(1, ${count}) n returning id`
}
