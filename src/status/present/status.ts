import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { assetStatuses, summarise } from '../../vocabulary/assetStatus.js'
import { grouped } from '../../vocabulary/collections.js'
import { limits } from '../../vocabulary/limits.js'
import { lastDays } from '../../vocabulary/time/calendar.js'
import { spanTexts } from '../../vocabulary/time/intervals.js'
import type { StatusRows } from '../queries/status.js'
import { percent } from '../rules/uptime.js'
import { type AssetState, assetState } from './assetState.js'

/**
 * The building at the instant `now`. `validUntil`: when it may change without a write. Epoch ms.
 */
export type BuildingState = {
  property: StatusRows['property']
  emergency: StatusRows['emergency']
  summary: z.output<typeof SummaryJson>
  assets: AssetState[]
  dates: readonly string[]
  now: number
  validUntil: number
}

/** Derives the building's state from its rows; JSON, page and asset detail are made from it. */
export function buildingState(rows: StatusRows): BuildingState {
  const days = lastDays(rows.property.timezone, rows.now, limits.historyDays)
  const impacts = byAsset(rows.impacts)
  const incidents = byAsset(rows.incidents)
  const windows = byAsset(rows.windows)
  const usualRepairs = new Map(rows.usualRepairs.map(({ assetId, time }) => [assetId, time]))
  const instant = { zone: rows.property.timezone, days, now: rows.now }
  const assets = rows.assets.map((asset) =>
    assetState(
      asset,
      {
        impacts: impacts.get(asset.id) ?? [],
        incidents: incidents.get(asset.id) ?? [],
        windows: windows.get(asset.id) ?? [],
        usualRepair: usualRepairs.get(asset.id) ?? null,
      },
      instant,
    ),
  )
  return {
    property: rows.property,
    emergency: rows.emergency,
    summary: summarise(assets),
    assets,
    dates: days.dates,
    now: rows.now,
    validUntil: Math.min(
      days.bounds.at(-1)!,
      rows.emergency.until ?? Number.POSITIVE_INFINITY,
      ...assets.map((asset) => asset.validUntil),
    ),
  }
}

const byAsset = <T extends { assetId: number }>(rows: readonly T[]) => grouped(rows, ({ assetId }) => assetId)

/** The summary's fields in the order of spec §2. */
export const SummaryJson = z.strictObject({
  total: wholeNumber,
  operational: wholeNumber,
  degraded: wholeNumber,
  down: wholeNumber,
  maintenance: wholeNumber,
})

/** Local days, oldest first, each with its worst status. */
export const DaysJson = z.array(z.strictObject({ date: z.iso.date(), status: z.enum(assetStatuses) }))

export const PlannedJson = z.array(
  z.strictObject({ title: z.string(), startsAt: instantText, endsAt: instantText }),
)

/**
 * An asset in /api/status (spec §2), with what the office says of the cause of its state.
 * `recordedSince`: nothing is known of it before, and uptimes count from there (decision 9.20).
 */
export const AssetStatusJson = shape('AssetStatus', {
  id: rowId,
  name: z.string(),
  category: z.string(),
  towerName: z.string(),
  status: z.enum(assetStatuses),
  uptime30: z.string(),
  uptime90: z.string(),
  days: DaysJson,
  maintenanceUpcoming: PlannedJson,
  expectedBackAt: instantText.nullable(),
  statusReason: z.string().nullable(),
  recordedSince: instantText,
})

/** GET /api/status (spec §4). `lastKnownMinutesAgo`: only while the database is away. */
export const StatusJson = shape('Status', {
  property: z.strictObject({ id: rowId, name: z.string(), address: z.string(), timezone: z.string() }),
  summary: SummaryJson,
  assets: z.array(AssetStatusJson),
  lastKnownMinutesAgo: wholeNumber.optional(),
})

export function presentStatus({
  property,
  summary,
  assets,
  dates,
}: BuildingState): z.output<typeof StatusJson> {
  const { id, name, address, timezone } = property
  return {
    property: { id, name, address, timezone },
    summary,
    assets: assets.map((asset) => presentAsset(asset, dates)),
  }
}

export function presentAsset(asset: AssetState, dates: readonly string[]): z.output<typeof AssetStatusJson> {
  return {
    id: asset.id,
    name: asset.name,
    category: asset.category,
    towerName: asset.towerName,
    status: asset.status,
    uptime30: percent(asset.uptime30),
    uptime90: percent(asset.uptime90),
    days: dates.map((date, i) => ({ date, status: assetStatuses[asset.days[i]!]! })),
    maintenanceUpcoming: asset.upcoming.map((each) => ({ title: each.title, ...spanTexts(each) })),
    ...presentCause(asset),
    recordedSince: new Date(asset.recordedSince).toISOString(),
  }
}

/** Null when nothing is wrong or the office has said nothing. */
export function presentCause({ cause }: AssetState) {
  const at = cause?.expectedBackAt ?? null
  return {
    expectedBackAt: at === null ? null : new Date(at).toISOString(),
    statusReason: cause?.statusReason ?? null,
  }
}
