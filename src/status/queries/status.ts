import { pageFrame } from '../../building/building.js'
import { inSnapshot, queryReserved } from '../../platform/db/database.js'
import type { Impact } from '../../vocabulary/assetStatus.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Severity } from '../../vocabulary/severity.js'
import { type AssetImpact, assetImpacts } from '../impacts/readImpacts.js'
import { type PlannedWindow, plannedWindows } from './plannedWindows.js'

/** All rows of the status view, of one snapshot. Times in epoch ms of the database's clock. */
export type StatusRows = Awaited<ReturnType<typeof pageFrame>> & {
  /** Identifies the database snapshot of these rows. */
  stamp: string
  now: number
  assets: AssetRow[]
  /** The impacts of the days shown: all that is derived, is derived from these. */
  impacts: AssetImpact[]
  /** The unresolved ones, which the page names. */
  incidents: IncidentRow[]
  /** Of assets that do not work properly, where enough repairs say it. */
  usualRepairs: UsualRepair[]
  windows: PlannedWindow[]
}

/** An asset in use; `createdAt` and `recordedSince` (decision 9.20) in epoch ms. */
export type AssetRow = {
  id: number
  name: string
  category: string
  towerId: number
  towerName: string
  createdAt: number
  recordedSince: number
}

/** An unresolved, unmerged incident of an asset, and what it does to it now. Times in epoch ms. */
export type IncidentRow = {
  id: number
  assetId: number
  title: string
  severity: Severity
  status: Status
  isDowntime: boolean
  impact: Impact | null
  createdAt: number
  expectedBackAt: number | null
  statusReason: string | null
  /** No one of the office has seen it, nor reported it under their name (decision 7.17). */
  unseen: boolean
  /** A resident says that it is not fixed, and staff have not acted since. */
  reopened: boolean
  /** The latest statement on it (decision 7.16), while it does something to its asset. */
  statement: string | null
  statementAt: number | null
  isReopening: boolean | null
}

/** In how many milliseconds eight of ten of the newest repairs of an asset were done. */
type UsualRepair = { assetId: number; time: number }

/** Reads the rows; the cost follows the last 90 days and unresolved incidents, not all history. */
export async function statusRows(): Promise<StatusRows> {
  return inSnapshot(async (query) => {
    const [{ stamp, now }] = (await query(
      `select pg_current_snapshot()::text as stamp, epoch_ms(clock_timestamp()) as now`,
    )) as [{ stamp: string; now: number }]
    const [frame, assets, impacts, incidents, usualRepairs, windows] = await Promise.all([
      pageFrame(query),
      query<AssetRow>(assetsSql),
      assetImpacts(query, limits.historyDaysRead),
      query<IncidentRow>(incidentsSql),
      query<UsualRepair>(usualRepairsSql),
      plannedWindows(query, { since: { daysAgo: limits.historyDaysRead }, inUse: true }),
    ])
    return { stamp, now, ...frame, assets, impacts, incidents, usualRepairs, windows }
  })
}

const assetsSql = `
  select a.id, a.name, a.category, a.tower_id, t.name as tower_name,
    epoch_ms(a.created_at) as created_at, epoch_ms(r.recorded_since) as recorded_since
  from assets a join towers t on t.id = a.tower_id join asset_records r on r.asset_id = a.id
  where a.archived_at is null
  order by t.sort_order, t.id, a.sort_order, a.id`

const incidentsSql = `
  select i.id, i.asset_id, i.title, i.severity, i.status, i.is_downtime, r.impact,
    epoch_ms(i.created_at) as created_at, epoch_ms(i.expected_back_at) as expected_back_at, i.status_reason,
    s.body as statement, epoch_ms(s.created_at) as statement_at, s.is_reopening,
    i.reopened_at is not null as reopened,
    i.acknowledged_at is null
      and not (coalesce(is_staff(u.role), false) and not i.is_anonymous and i.source <> 'email') as unseen
  from incidents i
  left join asset_impacts r on r.incident_id = i.id and r.ended_at is null
  left join users u on u.id = i.reporter_id
  left join lateral latest_statement(i.id, i.resolved_at) s on r.impact is not null
  where i.asset_id is not null and i.merged_into_id is null and i.resolved_at is null
  order by i.id`

/**
 * At least ten repairs, of the newest twenty; what was never repaired says nothing. They are looked
 * for among the newest reports: without that limit PostgreSQL reads all reports of an asset.
 */
const usualRepairsSql = `
  select broken.asset_id, 1000 * percentile_disc(0.8) within group (order by repair.seconds) as time
  from (select distinct asset_id from asset_impacts where ended_at is null) broken
  cross join lateral (
    select date_part('epoch', i.resolved_at - i.created_at) as seconds
    from (
      select n.* from incidents n
      where n.asset_id = broken.asset_id and n.merged_into_id is null
      order by n.created_at desc
      limit 200
    ) i
    where is_counted(i) and i.resolved_at is not null and coalesce(i.closing_reason, 'fixed') = 'fixed'
      and (i.severity <> 'low' or i.is_downtime)
    order by i.created_at desc
    limit 20
  ) repair
  group by broken.asset_id
  having count(*) >= 10`

/**
 * Whether rows read under `stamp` are still current: no change to the status view was committed
 * since. Exact with any number of processes, because audit entries carry their transaction's id.
 * Returns the new stamp, too.
 */
export async function statusStillExact(
  stamp: string,
): Promise<{ exact: boolean; stamp: string; now: number }> {
  const [row] = await queryReserved<{ exact: boolean; stamp: string; now: number }>(stillExact, [stamp])
  return row!
}

/** Entries of numbers yet to come come from a restored backup, and were read with the rows. */
const stillExact = `
  select s.stamp, epoch_ms(clock_timestamp()) as now, s.stamp = $1 or not exists (
    select 1 from audit_entries
    where affects_status and transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
      and transaction_id < pg_snapshot_xmax(s.stamp::pg_snapshot)
      and not pg_visible_in_snapshot(transaction_id, $1::pg_snapshot)
  ) as exact
  from (select pg_current_snapshot()::text as stamp) s`
