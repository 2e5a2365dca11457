import type { Knex } from 'knex'

/**
 * Runs `sql`, in a migration with `transaction = false`, for some rows at a time, so that nobody waits long for one of them.
 * It gets a condition for the key, an integer, under the name it has there, and must bear being run again.
 */
export async function inBatches(
  knex: Knex,
  { table, key, atOnce = 2_000 }: { table: string; key: string; atOnce?: number },
  sql: (some: (name: string) => string) => string,
  values: readonly (string | readonly string[])[] = [],
): Promise<void> {
  const { rows } = await knex.raw<{ rows: { first: number | null; last: number | null }[] }>(
    `select min(${key}) as first, max(${key}) as last from ${table}`,
  )
  const { first, last } = rows[0]!
  if (first === null || last === null) return
  for (let from = first; from <= last; from += atOnce)
    await knex.raw(
      sql((name) => `${name} >= ${from} and ${name} < ${from + atOnce}`),
      [...values] as string[],
    )
}
