import type { Query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import { type AssetStatus, liveStatus } from '../../vocabulary/assetStatus.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import { assetImpacts } from './impacts.js'
import { type PlannedWindow, windowsSql } from './windowTimes.js'

/** An asset's live status now, beside the last announced one. */
type LiveAsset = { id: number; announced: AssetStatus; status: AssetStatus }

type AssetRow = Omit<LiveAsset, 'status'> & { now: number; zone: string }

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
    const isOwn = ({ assetId }: { assetId: number }) => assetId === asset.id
    const planned = windows.filter(isOwn)
    const inMaintenance = planned.some((window) => occurrences(window, zone, now, now + 1).length > 0)
    return { ...asset, status: liveStatus(running.filter(isOwn), inMaintenance) }
  })
}

const ofThese = '($1::integer[] is null or w.asset_id = any ($1))'
const windowsOfThese = windowsSql('now() - make_interval(days => $2)', ofThese)

/** Windows that had not ended for good `days` ago, of these assets or of all. */
export async function plannedWindows(
  query: Query,
  days: number,
  ids: readonly number[] | null,
): Promise<PlannedWindow[]> {
  return query(windowsOfThese, [ids, days])
}
