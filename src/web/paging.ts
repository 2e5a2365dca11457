import { z } from 'zod'
import { limits } from '../domain/limits.js'
import type { Context } from './context.js'
import { queryId, queryOf } from './input.js'

/** A page of a list: only what is older than the id `before`, at most `limit` of it (decision 2.11). */
export type Page = { before: number | undefined; limit: number }

const PageQuery = z.object({ before: queryId.optional(), limit: queryId.optional() })

/** Which page of a list is asked for. */
export function pageOf(ctx: Context): Page {
  const { before, limit = limits.pageDefault } = queryOf(ctx, PageQuery)
  return { before, limit: Math.min(limit, limits.pageMax) }
}

/** Says where the list goes on: the same query, before the last id of a full page. */
export function linkNext(ctx: Context, rows: readonly { id: number }[], { limit }: Page): void {
  if (rows.length < limit) return
  const query = new URLSearchParams({
    ...(ctx.query as Record<string, string>),
    before: String(rows.at(-1)!.id),
  })
  ctx.set('Link', `<${ctx.path}?${query}>; rel="next"`)
}
