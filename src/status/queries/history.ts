import { inSnapshot, type Query, query } from '../../platform/db/database.js'
import { impactsBetween, type PastImpact } from '../impacts/readImpacts.js'
import { type PlannedWindow, plannedWindows } from './plannedWindows.js'

/**
 * An asset, archived or not. It is known since `recordedSince` (decision 9.20), and until it was
 * archived: epoch ms, `until` Infinity while it is in use.
 */
export type PastAsset = {
  id: number
  name: string
  towerId: number
  towerName: string
  archived: boolean
  recordedSince: number
  until: number
}

/** What happened in a stretch of time; assets in display order. */
export type HistoryRows = {
  assets: PastAsset[]
  impacts: PastImpact[]
  windows: PlannedWindow[]
}

/** Now and the earliest moment that history tells of, in epoch ms, and the property's zone. */
export async function historyFrame(): Promise<{ now: number; zone: string; first: number }> {
  const [row] = await query<{ now: number; zone: string; first: number | null }>(
    `select epoch_ms(now()) as now, timezone as zone,
       (select epoch_ms(min(started_at)) from asset_impact_spans) as first
     from properties`,
  )
  return { ...row!, first: row!.first ?? row!.now }
}

/** Reads [from, to), in epoch ms, of one snapshot. */
export async function historyRows(from: number, to: number): Promise<HistoryRows> {
  return inSnapshot((query) => pastOf(query, from, to))
}

/** Reads [from, to), in epoch ms. The cost follows what happened then, not all history. */
export async function pastOf(query: Query, from: number, to: number): Promise<HistoryRows> {
  const [assets, impacts, windows] = await Promise.all([
    query<PastAsset>(assetsSql),
    impactsBetween(query, new Date(from), new Date(to)),
    plannedWindows(query, { since: new Date(from) }),
  ])
  return { assets, impacts, windows }
}

const assetsSql = `
  select a.id, a.name, a.tower_id, t.name as tower_name, a.archived_at is not null as archived,
    epoch_ms(r.recorded_since) as recorded_since, coalesce(epoch_ms(a.archived_at), 'Infinity') as until
  from assets a join towers t on t.id = a.tower_id join asset_records r on r.asset_id = a.id
  order by t.sort_order, t.id, a.sort_order, a.id`
