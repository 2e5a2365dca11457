import { z } from 'zod'
import { contactEntity } from '../../building/entities/contactEntity.js'
import { fromRow, instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import type { AssetState } from '../../status/present/assetState.js'
import { AssetStatusJson } from '../../status/present/status.js'
import type { LatestStatement } from '../../status/queries/latestStatement.js'
import type { RollupRows } from '../../status/queries/rollup.js'
import type { AssetMonth, AssetYear } from '../../status/queries/year.js'
import { downtimeOver } from '../../status/rules/uptime.js'
import { repeatFaults } from '../../status/rules/yearFigures.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { excerpt } from '../../vocabulary/plainText.js'
import { severities } from '../../vocabulary/severity.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import type { ListedIncident } from '../model/entity.js'
import { IncidentJson, presentIncident } from '../model/json/incidentJson.js'

const month = z.string().regex(/^\d{4}-\d\d$/)

const FaultJson = z.strictObject({
  id: rowId,
  title: z.string(),
  severity: z.enum(severities),
  status: z.enum(statuses),
  createdAt: instantText,
})

const RepairJson = z.strictObject({ id: rowId, title: z.string(), resolvedAt: instantText.nullable() })

/** The fields of an incident in its asset's detail (spec §2). */
const AssetIncidentJson = IncidentJson.pick({
  id: true,
  title: true,
  severity: true,
  status: true,
  isDowntime: true,
  reporterName: true,
  slaBreached: true,
  source: true,
  createdAt: true,
  resolvedAt: true,
  hidden: true,
  notAReport: true,
}).meta({ id: 'AssetIncident' })

export function presentAssetIncident(
  row: ListedIncident,
  viewer: Viewer,
): z.output<typeof AssetIncidentJson> {
  return fromRow(AssetIncidentJson, presentIncident(row, viewer))
}

/** An asset's last twelve months, for staff. */
const assetYearFields = {
  costByMonth: z.array(z.strictObject({ month, costCents: z.int() })),
  faultsByMonth: z.array(z.strictObject({ month, count: wholeNumber })),
  repeatFaults: z.array(z.strictObject({ ...FaultJson.shape, after: RepairJson, daysAfter: wholeNumber })),
}

/**
 * Asset detail (spec §2). Its maintainer is for readers of the directory, its rollup and year are
 * for staff only.
 */
export const AssetDetailJson = shape('AssetDetail', {
  ...AssetStatusJson.shape,
  description: z.string(),
  contact: contactEntity.publicJson.nullable().optional(),
  incidents: z.array(AssetIncidentJson),
  cost365Cents: z.int().optional(),
  downtimeHours365: z.number().optional(),
  ...z.object(assetYearFields).partial().shape,
})

/**
 * Costs in cents and downtime in hours, over 365 days, counted like uptime (decisions 3.3, 3.6).
 */
export function presentRollup({ now, zone, costCents, downtime, windows }: RollupRows) {
  const from = now - (limits.rollupDays + 2) * 86_400_000
  const maintenance = windows.flatMap((window) => occurrences(window, zone, from, now))
  const hours = downtimeOver({ downtime, maintenance }, now, limits.rollupDays) / 3_600_000
  return { cost365Cents: costCents, downtimeHours365: Math.round(hours * 100) / 100 }
}

/** Characters of a statement on the asset's page; the incident's page has all of it. */
const statementLength = 280

/** The latest statement on the incident that affects an asset. */
export function presentStatement({ body, createdAt, isReopening }: LatestStatement) {
  return { isReopening, body: excerpt(body, statementLength), createdAt: createdAt.toISOString() }
}

/**
 * Assets of the same kind in the same tower, as alternatives: how many work, and the others by
 * name. Null when there is no other.
 */
export function presentAlternatives(asset: AssetState, assets: readonly AssetState[]) {
  const alike = assets.filter(
    ({ category, towerId }) => category === asset.category && towerId === asset.towerId,
  )
  if (alike.length < 2) return null
  return {
    category: asset.category,
    towerName: asset.towerName,
    working: alike.filter(({ status }) => status === 'operational').length,
    total: alike.length,
    others: alike.filter(({ id }) => id !== asset.id).map(({ id, name, status }) => ({ id, name, status })),
  }
}

/** Costs and faults by month, oldest first, and faults within 30 days of a repair; for staff. */
export function presentAssetYear({ months, faults, since }: AssetYear) {
  return {
    costByMonth: months.map(({ month, costCents }) => ({ month, costCents })),
    faultsByMonth: months.map(({ month, faults: count }) => ({ month, count })),
    repeatFaults: repeatFaults(faults, since).map(({ fault, after, daysAfter }) => ({
      ...fromRow(FaultJson, fault),
      after: fromRow(RepairJson, after),
      daysAfter,
    })),
  }
}

/** The chart's view box; the page scales it. */
const chart = { width: 120, height: 40 }

/** Bars of the cost chart, one per month with costs, and the numbers of its text alternative. */
export function costChart(months: Pick<AssetMonth, 'month' | 'costCents'>[]) {
  const most = months.reduce((a, b) => (b.costCents > a.costCents ? b : a))
  const step = chart.width / months.length
  const bars = months.flatMap(({ costCents }, i) => {
    const height = Math.max(1, round((chart.height * costCents) / most.costCents))
    const bar = { x: round(step * (i + 0.15)), y: chart.height - height, width: round(step * 0.7), height }
    return costCents > 0 ? [bar] : []
  })
  return { ...chart, bars, most, sumCents: months.reduce((sum, { costCents }) => sum + costCents, 0) }
}

const round = (n: number) => Math.round(n * 100) / 100
