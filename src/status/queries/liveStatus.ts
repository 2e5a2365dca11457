import type { Query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import { type AssetStatus, liveStatus } from '../../vocabulary/assetStatus.js'
import { occurrences, type RecurringWindow } from '../../vocabulary/time/recurrence.js'
import { assetImpacts } from './impacts.js'
import { endsAfterSql, windowTimesSql } from './windowTimes.js'

/** An asset's live status now, beside the last announced one. */
type LiveAsset = { id: number; announced: AssetStatus; status: AssetStatus }

type AssetRow = Omit<LiveAsset, 'status'> & { now: number; zone: string }
export type PlannedWindow = RecurringWindow & { assetId: number }

/** The live status of these assets, or of all in use, with the change's own writes. */
export async function liveAssets(query: Query, ids: readonly number[] | null): Promise<LiveAsset[]> {
  const assets = await query<AssetRow>(
    `select a.id, a.announced_status as announced, ${epochMs('clock_timestamp()')} as now, p.timezone as zone
     from assets a, properties p
     where a.archived_at is null and ($1::integer[] is null or a.id = any ($1))
     order by a.id`,
    [ids],
  )
  const running = await assetImpacts(query, 0, ids)
  const windows = await plannedWindows(query, 0, ids)
  return assets.map(({ now, zone, ...asset }) => {
    const planned = windows.filter(({ assetId }) => assetId === asset.id)
    const inMaintenance = planned.some((window) => occurrences(window, zone, now, now + 1).length > 0)
    return {
      ...asset,
      status: liveStatus(
        running.filter(({ assetId }) => assetId === asset.id),
        inMaintenance,
      ),
    }
  })
}

const since = 'now() - make_interval(days => $2)'

/** Windows that had not ended for good `days` ago, of these assets or of all. */
export async function plannedWindows(
  query: Query,
  days: number,
  ids: readonly number[] | null,
): Promise<PlannedWindow[]> {
  return query(
    `select w.asset_id as "assetId", ${windowTimesSql('w', since)} from maintenance_windows w
     where ${endsAfterSql('w', since)} and ($1::integer[] is null or w.asset_id = any ($1))`,
    [ids, days],
  )
}
