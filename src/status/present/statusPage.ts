import { type AssetStatus, overallStatus } from '../../vocabulary/assetStatus.js'
import { grouped } from '../../vocabulary/collections.js'
import { limits } from '../../vocabulary/limits.js'
import { excerpt } from '../../vocabulary/plainText.js'
import { DAY, HOUR } from '../../vocabulary/time/calendar.js'
import { spanTexts } from '../../vocabulary/time/intervals.js'
import type { IncidentRow } from '../queries/status.js'
import { percent } from '../rules/uptime.js'
import type { AssetState, Occurrence } from './assetState.js'
import { linkWidths, shownDays } from './dayBar.js'
import { type BuildingState, presentCause } from './status.js'

const worstFirst = ['down', 'degraded'] as const

/** The status page: what is wrong, worst first, then the state in the JSON, grouped by tower. */
export function presentStatusPage({ property, summary, assets, dates }: BuildingState) {
  const minor = assets
    .filter(({ status }) => !isProblem(status))
    .flatMap(({ name, open }) => open.map((incident) => ({ ...presentIncident(incident), assetName: name })))
    .sort((a, b) => b.id - a.id)
  const planned = assets.flatMap(plannedSeries).sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
  const towers = [...grouped(assets, ({ towerId }) => towerId).values()].map((own) =>
    presentTower(own, dates),
  )
  return {
    property,
    summary,
    overall: overallStatus(summary),
    from: dates[0]!,
    to: dates.at(-1)!,
    problems: worstFirst.flatMap((status) =>
      assets.filter((asset) => asset.status === status).map((asset) => presentProblem(asset, assets, dates)),
    ),
    towers,
    working: towers.filter((tower) => tower.assets.length > 0),
    incidents: minor.slice(0, limits.statusRows),
    moreIncidents: Math.max(0, minor.length - limits.statusRows),
    planned: planned.slice(0, limits.statusRows),
    morePlanned: Math.max(0, planned.length - limits.statusRows),
  }
}

/**
 * The status page as people see it: of very many problems the first ones, and of very many assets
 * only their towers. `instead`: what works where a single asset is out of service.
 */
export function presentBoard(state: BuildingState) {
  const page = presentStatusPage(state)
  const isLarge = page.summary.total > limits.statusAssets
  const { problems } = page
  const [down, ...others] = problems.filter(({ status }) => status === 'down')
  return {
    ...page,
    problems: problems.slice(0, limits.statusProblems),
    moreProblems: Math.max(0, problems.length - limits.statusProblems),
    isLarge,
    instead: down && others.length === 0 ? down.working : [],
  }
}

/** A tower as the page lists it below the problems; both numbers count all of its assets. */
function presentTower(own: readonly AssetState[], dates: readonly string[]) {
  const { towerId, towerName } = own[0]!
  return {
    id: towerId,
    name: towerName,
    assets: own.filter(({ status }) => !isProblem(status)).map((asset) => presentAssetRow(asset, dates)),
    operational: own.filter(({ status }) => status === 'operational').length,
    total: own.length,
  }
}

const isProblem = (status: AssetStatus) => status === 'down' || status === 'degraded'

/**
 * What is wrong with an asset, the latest statement on it, and what can be used instead. The
 * incident that the statement is about comes first, the others newest first.
 */
function presentProblem(asset: AssetState, assets: readonly AssetState[], dates: readonly string[]) {
  const { cause } = asset
  const isCause = ({ id }: IncidentRow) => id === cause?.id
  const incidents = [...asset.open.filter(isCause), ...asset.open.filter((each) => !isCause(each))]
  return {
    ...presentAssetRow(asset, dates, linkWidths.inCard),
    working: asset.status === 'down' ? workingAlternatives(asset, assets) : [],
    towerName: asset.towerName,
    statement: cause?.statementAt
      ? {
          body: excerpt((cause.statement ?? '').replace(/\s+/g, ' ').trim(), room),
          createdAt: new Date(cause.statementAt).toISOString(),
          isReopening: cause.isReopening ?? false,
        }
      : null,
    incidents: incidents.slice(0, limits.statusIncidents).map(presentIncident),
    more: Math.max(0, asset.open.length - limits.statusIncidents),
  }
}

/** The names of assets of the same kind in the same tower that work now. */
function workingAlternatives(asset: AssetState, assets: readonly AssetState[]): string[] {
  return assetsAlike(asset, assets)
    .filter(({ status }) => status === 'operational')
    .map(({ name }) => name)
}

/** The assets of the same kind in the same tower, with this one. */
export function assetsAlike(asset: AssetState, assets: readonly AssetState[]): AssetState[] {
  return assets.filter(({ category, towerId }) => category === asset.category && towerId === asset.towerId)
}

/** Characters of a statement on the status page; the asset's page has more. */
const room = 160

/** What an asset's state is and what is said of it. */
export function presentState(asset: AssetState) {
  const { cause, since, until } = asset
  return {
    id: asset.id,
    name: asset.name,
    category: asset.category,
    status: asset.status,
    since: since === null ? null : new Date(since).toISOString(),
    ...presentCause(asset),
    late: asset.late,
    unconfirmed: asset.unconfirmed,
    unconfirmedAs: asset.unconfirmedAs,
    until: until === null ? null : new Date(until).toISOString(),
    usually: asset.usualRepair === null || cause?.expectedBackAt ? null : inWords(asset.usualRepair),
  }
}

/** A time in ms that people count in hours up to a day, else in days; rounded up. */
function inWords(time: number): { unit: 'hours' | 'days'; n: number } {
  return time <= DAY
    ? { unit: 'hours', n: Math.ceil(time / HOUR) }
    : { unit: 'days', n: Math.ceil(time / DAY) }
}

/** One asset as a row of the page; its days come from their 90 bytes, `dates` are theirs. */
export function presentAssetRow(
  asset: AssetState,
  dates: readonly string[],
  linkWidth: number = linkWidths.inRow,
) {
  return {
    ...presentState(asset),
    uptime30: percent(asset.uptime30),
    uptime90: percent(asset.uptime90),
    ...shownDays(asset, dates, linkWidth),
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
