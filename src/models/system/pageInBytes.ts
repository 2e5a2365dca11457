import { query } from '../../database.js'

/** How much of a list one answer holds at most: rows, and bytes of them as JSON. */
export type PageSize = { limit: number; bytes: number }

/** One page of a list. `more`: whether the list goes on after its last row. */
export type PageOfRows<T> = { rows: T[]; more: boolean }

/** The page that was looked for with one row more than its limit. */
export function pageOfRows<T>(found: readonly T[], limit: number): PageOfRows<T> {
  return { rows: found.slice(0, limit), more: found.length > limit }
}

/**
 * Reads one page of a list that is newest first. It ends early with the row that takes it past its bytes: what lies
 * beyond is not sent by the database. `select` is SQL of ours that gives rows with an `id`, in their order, and one more
 * of them than the page's limit.
 */
export async function pageInBytes<T extends { id: number }>(
  select: string,
  values: unknown[],
  { limit, bytes }: PageSize,
): Promise<PageOfRows<T>> {
  const size = [`$${values.length + 1}`, `$${values.length + 2}`]
  const found = await query<T & { found: number; place: number; before: number }>(
    `select * from (
       select l.*, count(*) over () as found, row_number() over newest as place,
         sum(octet_length(to_json(l)::text)) over (newest rows between unbounded preceding and 1 preceding) as before
       from (${select}) l window newest as (order by l.id desc)
     ) p where place <= ${size[0]} and coalesce(before, 0) < ${size[1]} order by id desc`,
    [...values, limit, bytes],
  )
  const more = found.length < (found[0]?.found ?? 0)
  const rows = found.map(({ found: _found, place: _place, before: _before, ...row }) => row as unknown as T)
  return { rows, more }
}
