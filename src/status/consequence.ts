import { z } from 'zod'
import type { Query } from '../platform/db/database.js'
import { rowId, shape } from '../platform/http/json.js'
import { assetStatuses } from '../vocabulary/assetStatus.js'
import { limits } from '../vocabulary/limits.js'
import { DAY, lastDays } from '../vocabulary/time/calendar.js'
import { occurrences } from '../vocabulary/time/recurrence.js'
import { assetImpacts } from './impacts/readImpacts.js'
import { plannedWindows } from './queries/plannedWindows.js'
import { deriveStatus } from './rules/derivedStatus.js'
import { percent } from './rules/uptime.js'

/** An asset's status and uptimes at one moment; percentages with two decimals. */
const seen = { status: z.enum(assetStatuses), uptime30: z.string(), uptime90: z.string() }

/** An asset before and after a change that is only tried. */
export const ConsequenceJson = shape('Consequence', {
  assetId: rowId,
  name: z.string(),
  before: z.strictObject(seen),
  after: z.strictObject(seen),
})
export type Consequence = z.output<typeof ConsequenceJson>

/**
 * Makes a change that the caller rolls back, and returns what it does to these assets, archived
 * ones too, in the order of the ids. `query`: of the change's transaction.
 */
export async function consequencesOf<T>(
  query: Query,
  assetIds: readonly number[],
  act: () => Promise<T>,
): Promise<{ result: T; consequences: Consequence[] }> {
  const before = await shownNow(query, assetIds)
  const result = await act()
  const after = await shownNow(query, assetIds)
  const consequences = before.map(({ figures, ...asset }, i) => ({
    ...asset,
    before: figures,
    after: after[i]!.figures,
  }))
  return { result, consequences }
}

/** What these assets show at the start of the transaction, with its own writes. */
async function shownNow(query: Query, assetIds: readonly number[]) {
  const assets = await query<{
    assetId: number
    name: string
    recordedSince: number
    now: number
    zone: string
  }>(
    `select asset_id, a.name, epoch_ms(r.recorded_since) as recorded_since, epoch_ms(now()) as now, p.timezone as zone
     from asset_records r join assets a on a.id = asset_id, properties p
     where asset_id = any ($1) order by array_position($1, asset_id)`,
    [assetIds],
  )
  const spans = await assetImpacts(query, limits.historyDaysRead, assetIds)
  const windows = await plannedWindows(query, { since: { daysAgo: limits.historyDaysRead }, assetIds })
  return assets.map(({ assetId, name, recordedSince, now, zone }) => {
    const days = lastDays(zone, now, limits.historyDays)
    const maintenance = windows
      .filter((window) => window.assetId === assetId)
      .flatMap((window) => occurrences(window, zone, days.bounds[0]! - 2 * DAY, now + 1))
    const own = spans.filter((span) => span.assetId === assetId)
    const { status, uptime30, uptime90 } = deriveStatus(own, { maintenance, recordedSince }, days, now)
    return { assetId, name, figures: { status, uptime30: percent(uptime30), uptime90: percent(uptime90) } }
  })
}
