import { z } from 'zod'
import type { Viewer } from '../../domain/accounts/actor.js'
import { limits } from '../../domain/system/limits.js'
import type { Context } from '../context.js'
import { queryId } from './input.js'

/** A page of a list: at most `limit` rows with ids below `before` (decision 2.11). */
export type Page = { before: number | undefined; limit: number }

/** The query of every paged list. */
export const PageQuery = z.object({ before: queryId.optional(), limit: queryId.optional() })

/** The page a query asks for. */
export function pageOf({ before, limit = limits.pageDefault }: z.output<typeof PageQuery>): Page {
  return { before, limit: Math.min(limit, limits.pageMax) }
}

/** The bytes one page of incidents may hold for this viewer (decision 2.11). */
export function bytesFor({ staff }: Viewer): number {
  return staff ? limits.pageBytesStaff : limits.pageBytes
}

/** The next page of a list that is newest first: below this page's last id; null on the last page. */
export function olderThan({
  rows,
  more,
}: {
  rows: readonly { id: number }[]
  more: boolean
}): Record<string, string> | null {
  return more ? { before: String(rows.at(-1)!.id) } : null
}

/**
 * Sets the Link header for the next page and returns its address; null, without a header, on the last page.
 */
export function linkNext(ctx: Context, place: Record<string, string> | null): string | null {
  if (!place) return null
  const { after: _, before: __, ...query } = ctx.query as Record<string, string>
  const next = `${ctx.path}?${new URLSearchParams({ ...query, ...place })}`
  ctx.set('Link', `<${next}>; rel="next"`)
  return next
}
