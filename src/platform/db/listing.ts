import { own } from '../../vocabulary/collections.js'
import { limits } from '../../vocabulary/limits.js'
import { query } from './database.js'
import { type Bind, statement } from './statement.js'

/** One page of a list. `more`: whether rows follow. */
export type PageOfRows<T> = { rows: T[]; more: boolean }

/** Makes a page from rows that were read with a limit one higher. */
export function pageOfRows<T>(rows: readonly T[], limit: number): PageOfRows<T> {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

/**
 * Reads a page, newest first unless `order` names other columns of it; it ends after the row that
 * exceeds `bytes` as JSON, and the database sends nothing beyond. `select` must give rows with an
 * `id` in that order, one more than the limit.
 */
export async function pageInBytes<T extends { id: number }>(
  select: string,
  values: unknown[],
  { limit, bytes }: { limit: number; bytes: number },
  { order = 'id desc', run = query }: { order?: string; run?: typeof query } = {},
): Promise<PageOfRows<T>> {
  const size = [`$${values.length + 1}`, `$${values.length + 2}`]
  const matches = await run<T & { matchCount: number; place: number; before: number }>(
    `select * from (
       select l.*, count(*) over () as match_count, row_number() over sorted as place,
         sum(octet_length(to_json(l)::text)) over (sorted rows between unbounded preceding and 1 preceding) as before
       from (${select}) l window sorted as (order by ${order})
     ) p where place <= ${size[0]} and coalesce(before, 0) < ${size[1]} order by place`,
    [...values, limit, bytes],
  )
  const more = matches.length < (matches[0]?.matchCount ?? 0)
  return { rows: matches.map((match) => withoutFields(match, ['matchCount', 'place', 'before'])), more }
}

/** The row without the fields that only the page was measured by. */
function withoutFields<T extends object>(row: T & object, fields: readonly string[]): T {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !fields.includes(name))) as T
}

/**
 * A list staff search, sort and page through. All SQL is fixed here; a request only chooses parts.
 * The table's alias is `r`, its key `id`.
 */
export type Listing = {
  /** Select list, with the property names of the row as aliases. */
  columns: string
  from: string
  /** The text expression that a search matches. */
  search: string
  /** Sort keys by name: an expression that is never null, and its type. */
  sorts: Record<string, Sort>
  /** Filters by name: a condition with `$` in place of the value. */
  filters?: Record<string, string>
}

/** The types that lists are ordered by, as PostgreSQL calls them. */
export type SortType = 'text' | 'integer' | 'timestamptz' | 'boolean' | 'date'

type Sort = { by: string; type: SortType }
/** The order of a list without one of its own. */
export const byId: Sort = { by: 'r.id', type: 'integer' }

/**
 * A request for a page. Without `sort`: newest first, older than the id `before` (decision 2.11).
 */
export type ListQuery = {
  q?: string | undefined
  /** A name of `sorts`, with a leading minus for descending order. */
  sort?: string | undefined
  /** The end of the previous page: the sort value and id of its last row. */
  after?: { value: string; id: number } | undefined
  before?: number | undefined
  limit: number
  filters: Record<string, unknown>
}

/** One page of a list. `more`: the `after` of the next page; null on the last. */
export type ListPage<T> = { rows: T[]; more: { value: string; id: number } | null }

/**
 * Reads one page by key, not by offset, so that later pages cost no more than the first. It ends
 * early where its rows are long (decision 8.7).
 */
export async function fetchPage<T extends { id: number }>(
  listing: Listing,
  wanted: ListQuery,
): Promise<ListPage<T>> {
  const descending = wanted.sort === undefined || wanted.sort.startsWith('-')
  const direction = descending ? 'desc' : 'asc'
  const sort = own<Sort>(listing.sorts, wanted.sort?.replace(/^-/, '')) ?? byId
  const { text, values } = statement((bind) => {
    const conditions = [
      ...searchConditions(listing, wanted, bind),
      ...pageConditions(sort, descending ? '<' : '>', wanted, bind),
    ]
    return `select ${listing.columns}, ${sort.by} as sort_key, (${sort.by})::text as sort_value from ${listing.from}
     where ${conditions.join(' and ') || 'true'}
     order by ${sort.by} ${direction}, r.id ${direction} limit ${bind(wanted.limit + 1)}`
  })
  const { rows, more } = await pageInBytes<T & { sortValue: string }>(
    text,
    values,
    { limit: wanted.limit, bytes: limits.listBytes },
    { order: `sort_key ${direction}, id ${direction}` },
  )
  const last = more ? rows.at(-1)! : null
  return { rows, more: last && { value: last.sortValue, id: last.id } }
}

function searchConditions({ search, filters = {} }: Listing, { q, filters: values }: ListQuery, bind: Bind) {
  const words = (q ?? '').split(/\s+/).filter(Boolean).slice(0, 8)
  return [
    ...words.map((word) => `${search} ilike ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`),
    ...Object.entries(filters)
      .filter(([name]) => values[name] !== undefined)
      .map(([name, condition]) => condition.replaceAll('$', () => bind(values[name]))),
  ]
}

function pageConditions({ by, type }: Sort, sign: '<' | '>', { after, before }: ListQuery, bind: Bind) {
  return [
    ...(before === undefined ? [] : [`r.id < ${bind(before)}`]),
    ...(after ? [`(${by}, r.id) ${sign} (${bind(after.value)}::${type}, ${bind(after.id)})`] : []),
  ]
}

/** Several counts at once, by name: each a `select count(*)` with `$1` and its value. */
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
