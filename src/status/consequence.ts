import { z } from 'zod'
import type { Query } from '../platform/db/database.js'
import { epochMs } from '../platform/db/instants.js'
import { rowId, shape } from '../platform/http/json.js'
import { type AssetStatus, assetStatuses } from '../vocabulary/assetStatus.js'
import { limits } from '../vocabulary/limits.js'
import { DAY, lastDays } from '../vocabulary/time/calendar.js'
import { occurrences } from '../vocabulary/time/recurrence.js'
import { assetImpacts } from './queries/impacts.js'
import { plannedWindows } from './queries/liveStatus.js'
import { standingOf } from './rules/standing.js'
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

export function presentConsequence({
  before,
  after,
}: {
  before: AssetStanding
  after: AssetStanding
}): Consequence {
  return { assetId: before.id, name: before.name, before: shown(before), after: shown(after) }
}

function shown({ status, uptime30, uptime90 }: AssetStanding) {
  return { status, uptime30: percent(uptime30), uptime90: percent(uptime90) }
}

/** What an asset shows: its live status, and uptimes in hundredths of a percent. */
export type AssetStanding = {
  id: number
  name: string
  status: AssetStatus
  uptime30: number
  uptime90: number
}

/**
 * What these assets show at the start of the transaction, with its own writes: so that a change can
 * be tried, shown and rolled back. The same rule as the status view; archived assets, too. In the
 * order of the ids.
 */
export async function assetStanding(query: Query, assetIds: readonly number[]): Promise<AssetStanding[]> {
  const ids = [...assetIds]
  const assets = await query<{ id: number; name: string; now: number; zone: string }>(
    `select a.id, a.name, ${epochMs('now()')} as now, p.timezone as zone
     from assets a, properties p where a.id = any ($1) order by array_position($1, a.id)`,
    [ids],
  )
  const spans = await assetImpacts(query, limits.historyDays + 2, ids)
  const windows = await plannedWindows(query, limits.historyDays + 2, ids)
  return assets.map(({ id, name, now, zone }) => {
    const days = lastDays(zone, now, limits.historyDays)
    const maintenance = windows
      .filter(({ assetId }) => assetId === id)
      .flatMap((window) => occurrences(window, zone, days.bounds[0]! - 2 * DAY, now + 1))
    const own = spans.filter(({ assetId }) => assetId === id)
    const { status, uptime30, uptime90 } = standingOf(own, maintenance, days, now)
    return { id, name, status, uptime30, uptime90 }
  })
}

/** What an asset shows without a change and with it. */
export type StandingChange = { before: AssetStanding; after: AssetStanding }
