import { inSnapshot, query } from '../../database.js'
import type { RecurringWindow } from '../../domain/maintenance/recurrence.js'
import type { Impact } from '../../domain/status/impact.js'
import { endsAfterSql, windowTimesSql } from '../maintenance/windowTimes.js'
import { epochMs } from '../system/instants.js'

/** What an incident did to an asset; `incidentId` and `title` are of its survivor. Epoch ms, `end` Infinity while it runs. */
export type PastImpact = {
  assetId: number
  incidentId: number
  title: string
  impact: Impact
  start: number
  end: number
}

export type PastWindow = RecurringWindow & { assetId: number; title: string }

/** What happened in a stretch of time; assets in display order, archived ones only where something happened to them. */
export type HistoryRows = {
  assets: { id: number; name: string; towerId: number; towerName: string; archived: boolean }[]
  impacts: PastImpact[]
  windows: PastWindow[]
}

/** Now and the earliest moment that history tells of, in epoch ms, and the property's zone. */
export async function historyFrame(): Promise<{ now: number; zone: string; first: number }> {
  const [row] = await query<{ now: number; zone: string; first: number | null }>(`
    select ${epochMs('now()')} as now, timezone as zone,
      (select ${epochMs('started_at')} from asset_impacts order by incident_id, started_at limit 1) as first
    from properties`)
  return { ...row!, first: row!.first ?? row!.now }
}

/** Reads [from, to), in epoch ms, of one snapshot. The cost follows what happened then, not all history. */
export async function historyRows(from: number, to: number): Promise<HistoryRows> {
  return inSnapshot(async (query) => {
    const span = [new Date(from), new Date(to)]
    const [assets, impacts, windows] = await Promise.all([
      query<HistoryRows['assets'][number]>(assetsSql),
      query<Omit<PastImpact, 'end'> & { end: number | null }>(impactsSql, span),
      query<PastWindow>(windowsSql, [span[0]]),
    ])
    return { assets, impacts: impacts.map((row) => ({ ...row, end: row.end ?? Infinity })), windows }
  })
}

const assetsSql = `
  select a.id, a.name, a.tower_id as "towerId", t.name as "towerName", a.archived_at is not null as archived
  from assets a join towers t on t.id = a.tower_id
  order by t.sort_order, t.id, a.sort_order, a.id`

const impactsSql = `
  select r.asset_id as "assetId", s.id as "incidentId", s.title, r.impact,
    ${epochMs('r.started_at')} as start, ${epochMs('r.ended_at')} as "end"
  from asset_impacts r join incidents i on i.id = r.incident_id
  join incidents s on s.id = coalesce(i.merged_into_id, i.id)
  where tstzrange(r.started_at, r.ended_at) && tstzrange($1, $2)
  order by r.started_at, r.incident_id`

const windowsSql = `
  select w.asset_id as "assetId", w.title, ${windowTimesSql('w', '$1')}
  from maintenance_windows w where ${endsAfterSql('w', '$1')}
  order by w.starts_at, w.id`
