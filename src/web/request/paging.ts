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

/** Where a list that is newest first goes on: before the last row of this page; null on the last page. */
export function olderThan({
  rows,
  more,
}: {
  rows: readonly { id: number }[]
  more: boolean
}): Record<string, string> | null {
  return more ? { before: String(rows.at(-1)!.id) } : null
}

/** Says where the list goes on: the same query, from `place` on; returns that address. Null, and no Link, on the last page. */
export function linkNext(ctx: Context, place: Record<string, string> | null): string | null {
  if (!place) return null
  const { after: _, before: __, ...query } = ctx.query as Record<string, string>
  const next = `${ctx.path}?${new URLSearchParams({ ...query, ...place })}`
  ctx.set('Link', `<${next}>; rel="next"`)
  return next
}
