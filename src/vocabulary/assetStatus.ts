import type { Impact } from './impact.js'

/** Asset states, mildest first: the position is the precedence (spec §2, decision 3.1). */
export const assetStatuses = ['operational', 'maintenance', 'degraded', 'down'] as const
export type AssetStatus = (typeof assetStatuses)[number]

/** By precedence: any downtime, any degrading incident, a window in progress (decision 3.1). */
export function liveStatus(running: readonly { impact: Impact }[], inMaintenance: boolean): AssetStatus {
  if (running.some(({ impact }) => impact === 'down')) return 'down'
  if (running.length > 0) return 'degraded'
  return inMaintenance ? 'maintenance' : 'operational'
}

/** The status summary of spec §2: how many assets are in each status. */
export type StatusSummary = { total: number } & Record<AssetStatus, number>

export function summarise(assets: readonly { status: AssetStatus }[]): StatusSummary {
  const summary: StatusSummary = {
    total: assets.length,
    operational: 0,
    degraded: 0,
    down: 0,
    maintenance: 0,
  }
  for (const asset of assets) summary[asset.status] += 1
  return summary
}

/** The status a page title begins with: the worst of any asset; operational without assets. */
export function overallStatus(summary: StatusSummary): AssetStatus {
  return assetStatuses.findLast((status) => summary[status] > 0) ?? 'operational'
}
