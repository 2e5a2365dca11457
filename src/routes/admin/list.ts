import { z } from 'zod'
import { limits } from '../../domain/limits.js'
import type { Listed, Listing, Wanted } from '../../models/listing.js'
import { isApi } from '../../web/both.js'
import type { Context } from '../../web/context.js'
import { queryId, queryOf } from '../../web/input.js'
import { Problem } from '../../web/problem.js'

type Listable = {
  listing: Listing
  order?: string | undefined
  filters?: { schema: Record<string, z.ZodType> } | undefined
}

const ListQuery = z.object({
  q: z.string('not_acceptable').max(200, 'not_acceptable').optional(),
  sort: z.string('not_acceptable').optional(),
  after: z.string('not_acceptable').optional(),
  before: queryId.optional(),
  limit: queryId.optional(),
})

/** What the address asks of a list; a value that does not exist is 400 (decision 2.11). */
export function wantedOf(ctx: Context, { listing, order, filters }: Listable): Wanted {
  const {
    limit = limits.pageDefault,
    after,
    sort = isApi(ctx.path) ? undefined : order,
    ...asked
  } = queryOf(ctx, ListQuery)
  if (sort !== undefined && !(sort.replace(/^-/, '') in listing.sorts)) throw unknown('sort')
  return {
    ...asked,
    sort,
    after: after === undefined ? undefined : placeOf(after),
    limit: Math.min(limit, limits.pageMax),
    filters: filters ? queryOf(ctx, z.object(filters.schema)) : {},
  }
}

/** Where the list goes on: the same query, after the last row of this page; null, and no Link, on the last page. */
export function linkMore(ctx: Context, { sort }: Wanted, more: Listed<unknown>['more']): string | null {
  if (!more) return null
  const { after: _, before: __, ...query } = ctx.query as Record<string, string>
  const place =
    sort === undefined ? { before: String(more.id) } : { after: `${more.id}.${base64(more.value)}` }
  const next = `${ctx.path}?${new URLSearchParams({ ...query, ...place })}`
  ctx.set('Link', `<${next}>; rel="next"`)
  return next
}

const base64 = (text: string) => Buffer.from(text).toString('base64url')

function placeOf(text: string): { value: string; id: number } {
  const [, id, value] = /^([1-9]\d{0,9})\.([\w-]*)$/.exec(text) ?? []
  if (id === undefined) throw unknown('after')
  return { id: Number(id), value: Buffer.from(value!, 'base64url').toString() }
}

function unknown(field: string): Problem {
  return new Problem(400, 'bad_query', { members: { errors: { [field]: ['not_acceptable'] } } })
}
