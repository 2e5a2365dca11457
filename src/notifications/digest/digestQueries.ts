import type { Query } from '../../platform/db/database.js'
import { assetImpacts } from '../../status/impacts/readImpacts.js'
import { liveAssets } from '../../status/queries/liveStatus.js'
import { plannedWindows } from '../../status/queries/plannedWindows.js'
import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import type { Severity } from '../../vocabulary/severity.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'
import type { Digest } from './digest.js'
import { overdueIncidents } from './overdueIncidents.js'

/** The rows a digest is made from, of one snapshot; times in epoch ms. */
export type DigestRows = {
  now: number
  zone: string
  /** `back`: when the last of what keeps it out of service is expected to be over. */
  assets: { id: number; name: string; towerName: string; status: AssetStatus; back: Date | null }[]
  downtime: (Interval & { assetId: number })[]
  windows: (RecurringWindow & { assetId: number; title: string })[]
  counts: Digest['counts']
  unacknowledged: { id: number; title: string; severity: Severity; createdAt: Date; where: string }[]
  unacknowledgedTotal: number
  passed: NonNullable<Digest['passed']>
}

/** The incidents that are named of those that wait, and of those that are late. */
const oldestNamed = 10
/** Passed expected times and overdue work are counted up to this. */
const countedUpTo = 10_000
/** Two weeks, and a day for clock changes. */
export const daysRead = 15

/**
 * Reads the rows, without merged duplicates (decision 2.5). Cost follows two weeks of incidents,
 * not all history.
 */
export async function digestRows(query: Query): Promise<DigestRows> {
  const live = await liveAssets(query)
  const [[frame], assets, spans, windows, [counts], unacknowledged, [waiting]] = await Promise.all([
    query<{ now: number; zone: string }>('select epoch_ms(now()) as now, timezone as zone from properties'),
    query<Omit<DigestRows['assets'][number], 'status'>>(assetsSql),
    assetImpacts(query, daysRead),
    plannedWindows(query, { since: { daysAgo: daysRead }, inUse: true }),
    query<Digest['counts']>(countsSql),
    query<DigestRows['unacknowledged'][number]>(unacknowledgedSql, [oldestNamed]),
    query<{ total: number }>('select count(*)::integer as total from incidents i where is_waiting(i)'),
  ])
  const statusOf = (asset: number) => live.find(({ id }) => id === asset)?.status ?? 'operational'
  return {
    ...frame!,
    assets: assets.map((asset) => ({ ...asset, status: statusOf(asset.id) })),
    downtime: spans.filter(({ impact }) => impact === 'down'),
    windows,
    counts: counts!,
    unacknowledged,
    unacknowledgedTotal: waiting!.total,
    passed: await overdueIncidents(countedUpTo, oldestNamed, query),
  }
}

/** `back`: when the last of what keeps the asset out of service is expected to be over. */
const assetsSql = `
  select a.id, a.name, t.name as tower_name, (
    select max(i.expected_back_at)
    from asset_impact_spans r
    join incidents i on i.id = r.incident_id
    where r.asset_id = a.id and r.ended_at is null and r.impact = 'down' and i.expected_back_at > now()
  ) as back
  from assets a
  join towers t on t.id = a.tower_id
  where a.archived_at is null
  order by t.sort_order, t.id, a.sort_order, a.id`

/** Each count reads a range of one index, never old incidents. */
const countsSql = `
  with week as (
    select now() - interval '7 days' as start, now() - interval '14 days' as before
  ), counted as (
    select i.created_at, i.resolved_at, i.verified_at
    from incidents i
    where is_counted(i) and (
      i.created_at > now() - interval '14 days'
      or i.resolved_at > now() - interval '14 days'
      or i.verified_at > now() - interval '14 days'
    )
  )
  select
    json_build_object(
      'thisWeek', count(*) filter (where created_at > start),
      'weekBefore', count(*) filter (where created_at between before and start)
    ) as created,
    json_build_object(
      'thisWeek', count(*) filter (where resolved_at > start),
      'weekBefore', count(*) filter (where resolved_at between before and start)
    ) as resolved,
    json_build_object(
      'thisWeek', count(*) filter (where verified_at > start),
      'weekBefore', count(*) filter (where verified_at between before and start)
    ) as verified
  from week left join counted on true`

const unacknowledgedSql = `
  select i.id, i.title, i.severity, i.created_at,
    coalesce(public_place_name(a.name, u.name, u.tower_name, p.unit_visibility), '') as "where"
  from incidents i
  left join assets a on a.id = i.asset_id
  left join named_units u on u.id = i.unit_id
  cross join properties p
  where is_waiting(i)
  order by i.created_at, i.id limit $1`
