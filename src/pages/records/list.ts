import { z } from 'zod'
import { limits, maxId, parseId } from '../../domain/system/limits.js'
import { own } from '../../domain/system/own.js'
import type { Listing, ListPage, ListQuery } from '../../models/system/listing.js'
import type { Context } from '../../web/context.js'
import { isApi } from '../../web/request/both.js'
import { badQuery, queryId, storable } from '../../web/request/input.js'
import { linkNext } from '../../web/request/paging.js'

type Listable = {
  listing: Listing
  order?: string | undefined
  filters?: { schema: Record<string, z.ZodType> } | undefined
}

type Sort = Listing['sorts'][string]

const ListParameters = z.object({
  q: z.string('not_acceptable').max(200, 'not_acceptable').optional(),
  sort: z.string('not_acceptable').optional(),
  after: z.string('not_acceptable').optional(),
  before: queryId.optional(),
  limit: queryId.optional(),
})

/** The query of a list: search, order, page and the list's filters. */
export function listQuery({ filters }: Pick<Listable, 'filters'>): z.ZodObject {
  return z.object({ ...ListParameters.shape, ...filters?.schema })
}

/** Turns a query read by `listQuery` into a ListQuery. Throws 400 for unknown values (decision 2.11). */
export function parseListQuery(
  ctx: Context,
  query: Record<string, unknown>,
  { listing, order: usual }: Listable,
): ListQuery {
  const {
    q,
    before,
    limit = limits.pageDefault,
    after,
    sort = isApi(ctx.path) ? undefined : usual,
    ...filters
  } = query as z.output<typeof ListParameters>
  const order = own<Sort>(listing.sorts, sort?.replace(/^-/, ''))
  if (sort !== undefined && !order) throw unknown('sort')
  return {
    q,
    before,
    sort,
    after: after === undefined ? undefined : placeOf(after, order),
    limit: Math.min(limit, limits.pageMax),
    filters,
  }
}

/** Sets the Link header for the page after this one's last row; null, without a header, on the last page. */
export function linkMore(ctx: Context, { sort }: ListQuery, more: ListPage<unknown>['more']): string | null {
  if (!more) return null
  const { id, value } = more
  return linkNext(ctx, sort === undefined ? { before: String(id) } : { after: `${id}.${base64(value)}` })
}

const base64 = (text: string) => Buffer.from(text).toString('base64url')

function placeOf(text: string, sort: Sort | undefined): { value: string; id: number } {
  const [, digits, coded] = /^(\d+)\.([\w-]*)$/.exec(text) ?? []
  const id = parseId(digits)
  const value = Buffer.from(coded ?? '', 'base64url').toString()
  if (id === null || (sort && !isValue[sort.type](value))) throw unknown('after')
  return { id, value }
}

/** Whether a text is a value of a sort's type, as PostgreSQL prints it. */
const isValue: Record<Sort['type'], (text: string) => boolean> = {
  text: storable,
  integer: (text) => /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= maxId,
  boolean: (text) => text === 'true' || text === 'false',
  timestamptz: (text) => /^-?infinity$/.test(text) || isInstant(text),
}

function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text)) return false
  const second = text.slice(0, 19).replace(' ', 'T')
  const at = new Date(`${second}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(second)
}

function unknown(field: string) {
  return badQuery({ [field]: ['not_acceptable'] })
}
