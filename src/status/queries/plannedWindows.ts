import type { Query } from '../../platform/db/database.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'

/** Planned work on an asset; `knownSince`: when it was last changed (epoch ms). */
export type PlannedWindow = RecurringWindow & {
  id: number
  assetId: number
  title: string
  knownSince: number
}

/**
 * Which windows are read. `since`: those that end for good after this instant, or after so many
 * days before now. `assetIds`: of these assets, of all without it. `inUse`: only of assets that are
 * not archived.
 */
type WindowChoice = {
  since: Date | { daysAgo: number }
  assetIds?: readonly number[] | null
  inUse?: boolean
}

/** Planned work on assets, in the order in which it starts. */
export function plannedWindows(
  query: Query,
  { since, assetIds = null, inUse = false }: WindowChoice,
): Promise<PlannedWindow[]> {
  const [instant, daysAgo] = since instanceof Date ? [since, null] : [null, since.daysAgo]
  return query(plannedWindowsSql, [instant, daysAgo, assetIds, inUse])
}

const plannedWindowsSql = `
  select id, asset_id, title, starts_at, ends_at, recurrence, until, exceptions,
    epoch_ms(known_since) as known_since
  from window_dates(coalesce($1::timestamptz, now() - make_interval(days => $2)))
  where ($3::integer[] is null or asset_id = any ($3)) and (is_in_use or not $4)
  order by starts_at, id`
