import { inSnapshot, queryReserved } from '../../database.js'
import type { Status } from '../../domain/incidents/lifecycle.js'
import type { Severity } from '../../domain/incidents/severity.js'
import type { Recurrence } from '../../domain/maintenance/recurrence.js'
import { pageFrame } from '../building/building.js'
import { downSinceSql } from '../incidents/facts.js'
import { epochMs } from '../system/instants.js'

/** Everything the status view is made of, as of one instant. Times are epoch milliseconds of the database's clock. */
export type StatusRows = {
  /** Names the database snapshot these rows were read in. */
  stamp: string
  now: number
  property: { id: number; name: string; address: string; timezone: string; currency: string; locale: string }
  emergency: { name: string; phone: string } | null
  assets: AssetRow[]
  incidents: IncidentRow[]
  windows: WindowRow[]
}

export type AssetRow = { id: number; name: string; category: string; towerId: number; towerName: string }

/** An unmerged incident of an asset that touches the days shown. `resolvedAt` null: not resolved. */
export type IncidentRow = {
  id: number
  assetId: number
  title: string
  severity: Severity
  status: Status
  isDowntime: boolean
  createdAt: number
  downAt: number
  resolvedAt: number | null
  expectedBackAt: number | null
  statusReason: string | null
}

export type WindowRow = {
  id: number
  assetId: number
  title: string
  startsAt: number
  endsAt: number
  recurrence: Recurrence
}

/** Days of history read: the 90 shown, and what a clock change or a leap second could add. */
const daysRead = 92

/** Reads it all; the cost follows the last 90 days and what is still open, not all history. */
export async function statusRows(): Promise<StatusRows> {
  return inSnapshot(async (query) => {
    const [{ stamp, now }] = (await query(
      `select pg_current_snapshot()::text as stamp, ${epochMs('clock_timestamp()')} as now`,
    )) as [{ stamp: string; now: number }]
    const [frame, assets, incidents, windows] = await Promise.all([
      pageFrame(query),
      query<AssetRow>(assetsSql),
      query<IncidentRow>(incidentsSql, [daysRead]),
      query<WindowRow>(windowsSql, [daysRead]),
    ])
    return { stamp, now, ...frame, assets, incidents, windows }
  })
}

const assetsSql = `
  select a.id, a.name, a.category, a.tower_id as "towerId", t.name as "towerName"
  from assets a join towers t on t.id = a.tower_id
  where a.archived_at is null
  order by t.sort_order, t.id, a.sort_order, a.id`

const incidentsSql = `
  select i.id, i.asset_id as "assetId", i.title, i.severity, i.status, i.is_downtime as "isDowntime",
    ${epochMs('i.created_at')} as "createdAt", ${epochMs(downSinceSql('i'))} as "downAt",
    ${epochMs('i.resolved_at')} as "resolvedAt", ${epochMs('i.expected_back_at')} as "expectedBackAt",
    i.status_reason as "statusReason"
  from incidents i
  where i.asset_id is not null and i.merged_into_id is null
    and (i.resolved_at is null or i.resolved_at > now() - make_interval(days => $1))
  order by i.id`

const windowsSql = `
  select w.id, w.asset_id as "assetId", w.title, ${epochMs('w.starts_at')} as "startsAt", ${epochMs('w.ends_at')} as "endsAt",
    w.recurrence
  from maintenance_windows w join assets a on a.id = w.asset_id
  where a.archived_at is null
    and (w.recurrence <> 'none' or w.ends_at > now() - make_interval(days => $1))
  order by w.starts_at, w.id`

/**
 * Whether rows read under `stamp` are still what a read begun now would give: true unless a change that affects the
 * status view has committed since. Also says under which stamp that was established. Needs no lock and no listener,
 * and is exact with any number of processes, because audit entries carry the transaction they were written in.
 */
export async function statusStillExact(
  stamp: string,
): Promise<{ exact: boolean; stamp: string; now: number }> {
  const [row] = await queryReserved<{ exact: boolean; stamp: string; now: number }>(stillExact, [stamp])
  return row!
}

const stillExact = `
  select s.stamp, ${epochMs('clock_timestamp()')} as now, s.stamp = $1 or not exists (
    select 1 from audit_entries
    where affects_status and transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
      and not pg_visible_in_snapshot(transaction_id, $1::pg_snapshot)
  ) as exact
  from (select pg_current_snapshot()::text as stamp) s`
