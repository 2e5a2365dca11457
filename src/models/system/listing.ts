import { query } from '../../database.js'
import { own } from '../../domain/system/own.js'
import { pageOfRows } from './pageInBytes.js'

/**
 * A list the office searches, sorts and pages through. All of it is SQL of ours: a request only chooses among it. The
 * table's alias is `r`, and `id` is its key.
 */
export type Listing = {
  /** Select list, with aliases as the row is known in code. */
  columns: string
  from: string
  /** One text expression that a search looks through. */
  search: string
  /** Orders by name: an expression that is never null, and its type. */
  sorts: Record<string, { by: string; type: 'text' | 'integer' | 'timestamptz' | 'boolean' }>
  /** Filters by name: a condition with `$` where the value goes. */
  filters?: Record<string, string>
}

/** What is asked of a list. Without `sort` it is newest first, going on before an id (decision 2.11). */
export type ListQuery = {
  q?: string | undefined
  /** A name of `sorts`, with a minus in front for the other direction. */
  sort?: string | undefined
  /** Where the page before ended: the sort value and id of its last row. */
  after?: { value: string; id: number } | undefined
  before?: number | undefined
  limit: number
  filters: Record<string, unknown>
}

/** One page of a list. `more`: where the next one begins; null on the last. */
export type ListPage<T> = { rows: T[]; more: { value: string; id: number } | null }

/** Reads one page, by key and never by offset, so that deep pages cost what the first one costs. */
export async function fetchPage<T extends { id: number }>(
  listing: Listing,
  wanted: ListQuery,
): Promise<ListPage<T>> {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const descending = wanted.sort === undefined || wanted.sort.startsWith('-')
  const sort = own<Listing['sorts'][string]>(listing.sorts, wanted.sort?.replace(/^-/, '')) ?? null
  const conditions = [
    ...searchConditions(listing, wanted, bind),
    ...pageConditions(sort, descending, wanted, bind),
  ]
  const direction = descending ? 'desc' : 'asc'
  const found = await query<T & { sortValue: string }>(
    `select ${listing.columns}, (${sort?.by ?? 'r.id'})::text as "sortValue" from ${listing.from}
     where ${conditions.join(' and ') || 'true'}
     order by ${sort ? `${sort.by} ${direction}, ` : ''}r.id ${direction} limit ${bind(wanted.limit + 1)}`,
    values,
  )
  const { rows, more } = pageOfRows(found, wanted.limit)
  const last = more ? rows.at(-1)! : null
  return { rows, more: last && { value: last.sortValue, id: last.id } }
}

type Bind = (value: unknown) => string

function searchConditions({ search, filters = {} }: Listing, { q, filters: given }: ListQuery, bind: Bind) {
  const words = (q ?? '').split(/\s+/).filter(Boolean).slice(0, 8)
  return [
    ...words.map((word) => `${search} ilike ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`),
    ...Object.entries(filters)
      .filter(([name]) => given[name] !== undefined)
      .map(([name, condition]) => condition.replaceAll('$', () => bind(given[name]))),
  ]
}

function pageConditions(
  sort: Listing['sorts'][string] | null,
  descending: boolean,
  { after, before }: ListQuery,
  bind: Bind,
): string[] {
  const older = before === undefined ? [] : [`r.id < ${bind(before)}`]
  if (!after) return older
  const sign = descending ? '<' : '>'
  const beyond = sort
    ? `(${sort.by}, r.id) ${sign} (${bind(after.value)}::${sort.type}, ${bind(after.id)})`
    : `r.id ${sign} ${bind(after.id)}`
  return [...older, beyond]
}
