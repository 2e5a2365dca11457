import { z } from 'zod'
import { own } from '../../../vocabulary/own.js'
import type { Listing, ListPage, ListQuery } from '../../db/listing.js'
import type { Context } from '../context.js'
import { isApi } from '../request/both.js'
import { queryId, rejectQuery } from '../request/input.js'
import { endOfPage, linkNext, parseEndOfPage, rowsOf } from '../request/paging.js'

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

/**
 * Turns a query read by `listQuery` into a ListQuery. Throws 400 for unknown values (decision
 * 2.11).
 */
export function parseListQuery(
  ctx: Context,
  query: Record<string, unknown>,
  { listing, order: usual }: Listable,
): ListQuery {
  const {
    q,
    before,
    limit,
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
    after: after === undefined ? undefined : endOf(after, order),
    limit: rowsOf(ctx, limit),
    filters,
  }
}

/**
 * Sets the Link header for the page after this one's last row; null, without a header, on the last
 * page.
 */
export function linkMore(ctx: Context, { sort }: ListQuery, more: ListPage<unknown>['more']): string | null {
  if (!more) return null
  return linkNext(ctx, sort === undefined ? { before: String(more.id) } : { after: endOfPage(more) })
}

function endOf(text: string, sort: Sort | undefined): NonNullable<ListQuery['after']> {
  const end = parseEndOfPage(text, sort?.type)
  if (!end) throw unknown('after')
  return end
}

function unknown(field: string) {
  return rejectQuery(field)
}
