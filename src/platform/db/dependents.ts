import { query } from './database.js'

/** Several counts in one query, by name: each a `select count(*)` with `$1` and its value. */
export async function countsOf<Name extends string>(
  wanted: Record<Name, [sql: string, value: unknown]>,
): Promise<Record<Name, number>> {
  const counts = await Promise.all(
    Object.entries<[string, unknown]>(wanted).map(async ([name, [sql, value]]) => {
      const [row] = await query<{ count: number }>(sql, [value])
      return [name, row!.count] as const
    }),
  )
  return Object.fromEntries(counts) as Record<Name, number>
}
