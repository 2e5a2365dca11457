import { type AssetStatus, overallStatus } from '../../vocabulary/assetStatus.js'
import { grouped } from '../../vocabulary/collections.js'
import { limits } from '../../vocabulary/limits.js'
import { excerpt } from '../../vocabulary/plainText.js'
import { spanTexts } from '../../vocabulary/time/intervals.js'
import type { IncidentRow } from '../queries/status.js'
import { percent } from '../rules/uptime.js'
import { type AssetState, barPaths, type Occurrence, runsOf } from './assetState.js'
import { type BuildingState, presentCause } from './status.js'

const worstFirst = ['down', 'degraded'] as const

/** The status page: what is wrong, worst first, then the state in the JSON, grouped by tower. */
export function presentStatusPage({ property, summary, assets, dates }: BuildingState) {
  const minor = assets
    .filter(({ status }) => !isProblem(status))
    .flatMap(({ name, open }) => open.map((incident) => ({ ...presentIncident(incident), assetName: name })))
    .sort((a, b) => b.id - a.id)
  const planned = assets.flatMap(plannedSeries).sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
  const towers = [...grouped(assets, ({ towerId }) => towerId)].map(([id, own]) => ({
    id,
    name: own[0]!.towerName,
    assets: own.map(presentAssetRow),
  }))
  return {
    property,
    summary,
    overall: overallStatus(summary),
    from: dates[0]!,
    to: dates.at(-1)!,
    problems: worstFirst.flatMap((status) =>
      assets.filter((asset) => asset.status === status).map(presentProblem),
    ),
    towers,
    working: towers.map(withoutProblems).filter((tower) => tower.assets.length > 0),
    incidents: minor.slice(0, limits.statusRows),
    moreIncidents: Math.max(0, minor.length - limits.statusRows),
    planned: planned.slice(0, limits.statusRows),
    morePlanned: Math.max(0, planned.length - limits.statusRows),
  }
}

/** A tower as the page lists it below the problems; both numbers count all of its assets. */
function withoutProblems<A extends { status: AssetStatus }>(tower: {
  id: number
  name: string
  assets: A[]
}) {
  return {
    id: tower.id,
    name: tower.name,
    assets: tower.assets.filter(({ status }) => !isProblem(status)),
    operational: tower.assets.filter(({ status }) => status === 'operational').length,
    total: tower.assets.length,
  }
}

const isProblem = (status: AssetStatus) => status === 'down' || status === 'degraded'

/** What is wrong with an asset and the latest statement on it; its incidents newest first. */
function presentProblem(asset: AssetState) {
  const { cause } = asset
  return {
    ...presentState(asset),
    towerName: asset.towerName,
    statement: cause?.statementAt
      ? {
          body: excerpt((cause.statement ?? '').replace(/\s+/g, ' ').trim(), room),
          createdAt: new Date(cause.statementAt).toISOString(),
          isReopening: cause.isReopening ?? false,
        }
      : null,
    incidents: asset.open.slice(0, limits.statusIncidents).map(presentIncident),
    more: Math.max(0, asset.open.length - limits.statusIncidents),
  }
}

/** Characters of a statement on the status page; the asset's page has more. */
const room = 160

/** What an asset's state is and what is said of it. */
function presentState(asset: AssetState) {
  const { since, until } = asset
  return {
    id: asset.id,
    name: asset.name,
    category: asset.category,
    status: asset.status,
    since: since === null ? null : new Date(since).toISOString(),
    ...presentCause(asset),
    late: asset.late,
    unconfirmed: asset.unconfirmed,
    until: until === null ? null : new Date(until).toISOString(),
  }
}

/** One asset as a row of the page; the bar comes from the 90 bytes of its days. */
export function presentAssetRow(asset: AssetState) {
  return {
    ...presentState(asset),
    uptime30: percent(asset.uptime30),
    uptime90: percent(asset.uptime90),
    bar: barPaths(runsOf(asset.days)),
  }
}

function presentIncident({ id, title, status, reopened, createdAt }: IncidentRow) {
  return { id, title, status, reopened, createdAt: new Date(createdAt).toISOString() }
}

/** Planned work on an asset, soonest first: of a series the next date alone. */
function plannedSeries(asset: AssetState) {
  const seen = new Set<number>()
  return asset.upcoming
    .filter(({ windowId }) => !seen.has(windowId) && seen.add(windowId))
    .map((occurrence) => presentWork(asset, occurrence))
}

/** One date of planned work on an asset. */
export function presentWork(
  { id, name, towerName }: AssetState,
  { title, start, end, recurrence }: Occurrence,
) {
  return { title, recurrence, assetId: id, assetName: name, towerName, ...spanTexts({ start, end }) }
}
