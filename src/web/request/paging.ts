import { z } from 'zod'
import type { Viewer } from '../../domain/accounts/actor.js'
import { limits } from '../../domain/system/limits.js'
import type { Context } from '../context.js'
import { queryId } from './input.js'

/** A page of a list: only what is older than the id `before`, at most `limit` of it (decision 2.11). */
export type Page = { before: number | undefined; limit: number }

/** What every list that goes on is asked by. */
export const PageQuery = z.object({ before: queryId.optional(), limit: queryId.optional() })

/** Which page of a list is asked for. */
export function pageOf({ before, limit = limits.pageDefault }: z.output<typeof PageQuery>): Page {
  return { before, limit: Math.min(limit, limits.pageMax) }
}

/** How many bytes one page of incidents may hold for this viewer (decision 2.11). */
export function bytesFor({ staff }: Viewer): number {
  return staff ? limits.pageBytesStaff : limits.pageBytes
}

/** Says where the list goes on, the same query before the last id of this page; returns that address. */
export function linkNext(ctx: Context, rows: readonly { id: number }[]): string {
  const query = new URLSearchParams({
    ...(ctx.query as Record<string, string>),
    before: String(rows.at(-1)!.id),
  })
  const next = `${ctx.path}?${query}`
  ctx.set('Link', `<${next}>; rel="next"`)
  return next
}
