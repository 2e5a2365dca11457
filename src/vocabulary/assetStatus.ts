import { coloursAsset, type Severity } from './severity.js'
import { HOUR } from './time/calendar.js'
import type { Interval } from './time/intervals.js'

/** What an incident can do to its asset (decisions 2.8, 3.1). */
export type Impact = 'degraded' | 'down'

/** An impact in epoch ms; `end` is Infinity while it runs. */
export type ImpactSpan = Interval & { impact: Impact }

/** The fields of an incident that decide its present impact. */
type Impacting = {
  assetId: number | null
  severity: Severity
  isDowntime: boolean
  resolvedAt: unknown
  mergedIntoId: number | null
}

/**
 * What an incident does to its asset now (decision 3.1): nothing once resolved or merged, or
 * without an asset. The database's function `incident_impact` says the same.
 */
export function impactOf(incident: Impacting): Impact | null {
  if (incident.assetId === null || incident.resolvedAt !== null || incident.mergedIntoId !== null) return null
  if (incident.isDowntime) return 'down'
  return coloursAsset(incident.severity) ? 'degraded' : null
}

/** Whether "not fixed" at `now` says that it was never repaired: within 72 hours (decision 2.8). */
export function neverRepaired(resolvedAt: Date, now: Date): boolean {
  return now.getTime() - resolvedAt.getTime() <= 72 * HOUR
}

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
type StatusSummary = { total: number } & Record<AssetStatus, number>

export function summarise(assets: readonly { status: AssetStatus }[]): StatusSummary {
  const summary = { total: assets.length, operational: 0, degraded: 0, down: 0, maintenance: 0 }
  for (const asset of assets) summary[asset.status] += 1
  return summary
}

/** The status a page title starts with: the worst of any asset; operational without assets. */
export function overallStatus(summary: StatusSummary): AssetStatus {
  return assetStatuses.findLast((status) => summary[status] > 0) ?? 'operational'
}
