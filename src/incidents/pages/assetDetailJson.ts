import { z } from 'zod'
import { contactEntity } from '../../building/entities/contactEntity.js'
import { fromRow, instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { AssetStatusJson } from '../../status/present/status.js'
import type { RollupRows } from '../../status/queries/rollup.js'
import type { AssetYear } from '../../status/queries/year.js'
import { downtimeOver } from '../../status/rules/uptime.js'
import { repeatFaults } from '../../status/rules/yearFigures.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { severities } from '../../vocabulary/severity.js'
import { DAY, HOUR } from '../../vocabulary/time/calendar.js'
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
  // Two days more, for work that started before the first day and days of other zones.
  const from = now - (limits.rollupDays + 2) * DAY
  const maintenance = windows.flatMap((window) => occurrences(window, zone, from, now))
  const hours = downtimeOver({ downtime, maintenance }, now, limits.rollupDays) / HOUR
  return { cost365Cents: costCents, downtimeHours365: Math.round(hours * 100) / 100 }
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
