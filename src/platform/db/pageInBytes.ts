import { query } from './database.js'

/** The most one page may hold: rows, and bytes of them as JSON. */
export type PageSize = { limit: number; bytes: number }

/** One page of a list. `more`: whether rows follow. */
export type PageOfRows<T> = { rows: T[]; more: boolean }

/** Makes a page from rows that were read with a limit one higher. */
export function pageOfRows<T>(found: readonly T[], limit: number): PageOfRows<T> {
  return { rows: found.slice(0, limit), more: found.length > limit }
}

/**
 * Reads a page, newest first unless `order` names other columns of it; it ends after the row that
 * exceeds `bytes`, and the database sends nothing beyond. `select` must give rows with an `id` in
 * that order, one more than the limit.
 */
export async function pageInBytes<T extends { id: number }>(
  select: string,
  values: unknown[],
  { limit, bytes }: PageSize,
  { order = 'id desc', run = query }: { order?: string; run?: typeof query } = {},
): Promise<PageOfRows<T>> {
  const size = [`$${values.length + 1}`, `$${values.length + 2}`]
  const found = await run<T & { found: number; place: number; before: number }>(
    `select * from (
       select l.*, count(*) over () as found, row_number() over sorted as place,
         sum(octet_length(to_json(l)::text)) over (sorted rows between unbounded preceding and 1 preceding) as before
       from (${select}) l window sorted as (order by ${order})
     ) p where place <= ${size[0]} and coalesce(before, 0) < ${size[1]} order by place`,
    [...values, limit, bytes],
  )
  const more = found.length < (found[0]?.found ?? 0)
  const rows = found.map(({ found: _found, place: _place, before: _before, ...row }) => row as unknown as T)
  return { rows, more }
}
