import type { Viewer } from '../domain/actor.js'
import { limits } from '../domain/limits.js'
import { occurrences } from '../domain/recurrence.js'
import { downtimeOver } from '../domain/uptime.js'
import type { AssetYear } from '../models/assetYear.js'
import type { ListedIncident } from '../models/incident.js'
import type { RollupRows } from '../models/rollup.js'
import type { AssetState } from './assetState.js'
import { presentAssetYear } from './assetYear.js'
import { presentAssetIncident } from './incident.js'
import { presentAsset } from './status.js'

/** Asset detail (spec §2): the fields of /api/status, description and incidents; rollup and year for staff only. */
export function presentAssetDetail(
  asset: AssetState,
  dates: readonly string[],
  {
    description,
    incidents,
    rollup,
    year,
  }: {
    description: string
    incidents: ListedIncident[]
    rollup: RollupRows | null
    year: AssetYear | null
  },
  viewer: Viewer,
) {
  return {
    ...presentAsset(asset, dates),
    description,
    incidents: incidents.map((incident) => presentAssetIncident(incident, viewer)),
    ...(viewer.staff && rollup ? presentRollup(rollup) : {}),
    ...(viewer.staff && year ? presentAssetYear(year) : {}),
  }
}

/** cost365Cents and downtimeHours365, downtime as uptime counts it (decisions 3.3, 3.6); hours to two decimals. */
export function presentRollup({ now, zone, costCents, downtime, windows }: RollupRows) {
  const from = now - (limits.rollupDays + 2) * 86_400_000
  const maintenance = windows.flatMap((window) => occurrences(window, zone, from, now))
  const hours = downtimeOver({ downtime, maintenance }, now, limits.rollupDays) / 3_600_000
  return { cost365Cents: costCents, downtimeHours365: Math.round(hours * 100) / 100 }
}
