import { type AssetStatus, assetStatuses, overallStatus } from '../../domain/status/assetStatus.js'
import { percent } from '../../domain/status/uptime.js'
import type { AssetState } from './assetState.js'
import { barPaths, runsOf } from './bar.js'
import { type BuildingState, presentCause, presentSummary } from './status.js'

/** The status page: the same state as the JSON, grouped by tower. */
export function presentStatusPage({ property, summary, assets, dates }: BuildingState) {
  return {
    property,
    summary: presentSummary(summary),
    overall: overallStatus(summary),
    from: dates[0]!,
    to: dates.at(-1)!,
    towers: towersOf(assets).map(({ id, name, assets: own }) => ({
      id,
      name,
      assets: own.map((asset) => presentAssetRow(asset, dates)),
    })),
    incidents: assets.flatMap(openIncidents).sort((a, b) => b.id - a.id),
    upcoming: assets.flatMap(upcomingWork).sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1)),
  }
}
export type StatusPage = ReturnType<typeof presentStatusPage>

/** One asset as a row of the page: bar, counts and problem days come from the 90 bytes of its days. */
export function presentAssetRow(asset: AssetState, dates: readonly string[]) {
  const runs = runsOf(asset.days)
  const { since } = asset
  return {
    id: asset.id,
    name: asset.name,
    category: asset.category,
    status: asset.status,
    since: since === null ? null : new Date(since).toISOString(),
    ...presentCause(asset),
    late: asset.late,
    until: asset.status === 'maintenance' ? new Date(asset.upcoming[0]!.end).toISOString() : null,
    uptime30: percent(asset.uptime30),
    uptime90: percent(asset.uptime90),
    bar: barPaths(runs),
    counts: countDays(asset.days),
    problems: runs
      .filter(({ status }) => status !== 'operational')
      .map(({ status, from, to }) => ({ status, from: dates[from]!, to: dates[to]! }))
      .reverse(),
  }
}
export type AssetRowPresented = ReturnType<typeof presentAssetRow>

function countDays(days: Uint8Array): Record<AssetStatus, number> {
  const counts: Record<AssetStatus, number> = { operational: 0, maintenance: 0, degraded: 0, down: 0 }
  for (const byte of days) counts[assetStatuses[byte]!] += 1
  return counts
}

/** Assets come in display order, so those of one tower are adjacent. */
function towersOf(assets: readonly AssetState[]): { id: number; name: string; assets: AssetState[] }[] {
  const towers: ReturnType<typeof towersOf> = []
  for (const asset of assets) {
    const tower = towers.at(-1)
    if (tower?.id === asset.towerId) tower.assets.push(asset)
    else towers.push({ id: asset.towerId, name: asset.towerName, assets: [asset] })
  }
  return towers
}

function openIncidents({ id, name, towerName, open }: AssetState) {
  return open.map((incident) => ({
    id: incident.id,
    title: incident.title,
    severity: incident.severity,
    status: incident.status,
    isDowntime: incident.isDowntime,
    assetId: id,
    assetName: name,
    towerName,
    createdAt: new Date(incident.createdAt).toISOString(),
  }))
}

function upcomingWork({ id, name, towerName, upcoming }: AssetState) {
  return upcoming.map(({ title, start, end }) => ({
    title,
    assetId: id,
    assetName: name,
    towerName,
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(end).toISOString(),
  }))
}
