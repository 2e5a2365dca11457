import { z } from 'zod'
import { storable } from '../../../vocabulary/inputRules.js'
import { limits, maxId, parseId } from '../../../vocabulary/limits.js'
import type { PageOfRows, SortType } from '../../db/listing.js'
import type { Context } from '../context.js'
import { isApi } from '../paths.js'
import { queryId, rejectQuery } from './query.js'

/** A page of a list: at most `limit` rows with ids below `before` (decision 2.11). */
export type Page = { before: number | undefined; limit: number }

/** The query of every paged list. */
export const PageQuery = z.object({ before: queryId.optional(), limit: queryId.optional() })

/** Rows of a page: as asked for, but not above the limit, which is lower on a page for people. */
export function rowsOf(ctx: Context, limit: number | undefined, onPage: number = limits.rowsOnPage): number {
  const [usual, most] = isApi(ctx.path) ? [limits.pageDefault, limits.pageMax] : [onPage, limits.rowsOnPage]
  return Math.min(limit ?? usual, most)
}

/** The query of a list that is whole unless it is very long: how many rows come before its page. */
export const SkipQuery = z.object({ skip: queryId.optional() })

/**
 * The rows of such a list after `skip`, as many as a page may have (decision 8.7). Sets the Link
 * header for the rest, whose address is `next`.
 */
export function cutList<Row>(
  ctx: Context,
  rows: readonly Row[],
  skip = 0,
): { data: Row[]; next: string | null } {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    if (i < skip) return false
    const before = bytes
    bytes += Buffer.byteLength(JSON.stringify(row))
    return before >= limits.listBytes
  })
  return end < 0
    ? { data: rows.slice(skip), next: null }
    : { data: rows.slice(skip, end), next: linkNext(ctx, { skip: String(end) }) }
}

/** The page a query asks for. */
export function pageOf(ctx: Context, { before, limit }: z.output<typeof PageQuery>): Page {
  return { before, limit: rowsOf(ctx, limit) }
}

/** The page after this one of a list that is newest first; null on the last page. */
export function olderThan({ rows, more }: PageOfRows<{ id: number }>): Record<string, string> | null {
  return more ? { before: String(rows.at(-1)!.id) } : null
}

/** Sets the Link header and returns the next page's address; null, without it, on the last page. */
export function linkNext(ctx: Context, place: Record<string, string> | null): string | null {
  if (!place) return null
  const { after: _, before: __, skip: ___, ...query } = ctx.query as Record<string, string>
  const next = `${ctx.path}?${new URLSearchParams({ ...query, ...place })}`
  ctx.set('Link', `<${next}>; rel="next"`)
  return next
}

/** The last row of a page in an order of its own: its value as PostgreSQL prints it, and its id. */
type EndOfPage = { value: string; id: number }

/** The end of a page as an address has it. */
export const endOfPage = ({ value, id }: EndOfPage) => `${id}.${Buffer.from(value).toString('base64url')}`

/** Reads such an end, of an order by this type. Throws 400 for anything else. */
export function parseEndOfPage(text: string, type: SortType): EndOfPage {
  const [, digits, coded] = /^(\d+)\.([\w-]*)$/.exec(text) ?? []
  const id = parseId(digits)
  const value = Buffer.from(coded ?? '', 'base64url').toString()
  if (id === null || !isValue[type](value)) throw rejectQuery('after')
  return { value, id }
}

const isValue: Record<SortType, (text: string) => boolean> = {
  text: storable,
  integer: (text) => /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= maxId,
  boolean: (text) => text === 'true' || text === 'false',
  timestamptz: (text) => /^-?infinity$/.test(text) || isInstant(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isInstant(`${text} 00:00:00+00`),
}

function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text)) return false
  const second = text.slice(0, 19).replace(' ', 'T')
  const at = new Date(`${second}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(second)
}
