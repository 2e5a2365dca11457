import { inSnapshot, type Query, query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import type { Impact } from '../../vocabulary/assetStatus.js'
import { firstImpactSql, impactsBetweenSql } from './impacts.js'
import { type PlannedWindow, windowsSql } from './windowTimes.js'

/**
 * What an incident did to an asset; `incidentId` and `title` are of its survivor. Epoch ms, `end`
 * Infinity while it runs.
 */
export type PastImpact = {
  assetId: number
  incidentId: number
  title: string
  impact: Impact
  start: number
  end: number
}

/**
 * An asset, archived or not. It is known since it was entered or first reported, and until it was
 * archived: epoch ms, `until` Infinity while it is in use.
 */
export type PastAsset = {
  id: number
  name: string
  towerId: number
  towerName: string
  archived: boolean
  since: number
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
  const [row] = await query<{ now: number; zone: string; first: number | null }>(`
    select ${epochMs('now()')} as now, timezone as zone,
      ${firstImpactSql} as first
    from properties`)
  return { ...row!, first: row!.first ?? row!.now }
}

/** Reads [from, to), in epoch ms, of one snapshot. */
export async function historyRows(from: number, to: number): Promise<HistoryRows> {
  return inSnapshot((query) => pastOf(query, from, to))
}

/** Reads [from, to), in epoch ms. The cost follows what happened then, not all history. */
export async function pastOf(query: Query, from: number, to: number): Promise<HistoryRows> {
  const span = [new Date(from), new Date(to)]
  const [assets, impacts, windows] = await Promise.all([
    query<PastAsset>(assetsSql),
    query<PastImpact>(impactsBetweenSql, span),
    query<PlannedWindow>(windowsSql('$1'), [span[0]]),
  ])
  return { assets, impacts, windows }
}

const assetsSql = `
  select a.id, a.name, a.tower_id as "towerId", t.name as "towerName", a.archived_at is not null as archived,
    ${epochMs(`least(a.created_at, (
      select created_at from incidents where asset_id = a.id and merged_into_id is null order by created_at limit 1))`)} as since,
    coalesce(${epochMs('a.archived_at')}, 'Infinity') as until
  from assets a join towers t on t.id = a.tower_id
  order by t.sort_order, t.id, a.sort_order, a.id`
