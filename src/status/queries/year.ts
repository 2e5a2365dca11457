import { inSnapshot, type Query, query } from '../../platform/db/database.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Severity } from '../../vocabulary/severity.js'
import { dateIn } from '../../vocabulary/time/calendar.js'
import { repeatDays, repeatsReach, type YearSpan } from '../rules/yearFigures.js'
import { type HistoryRows, pastOf } from './history.js'

/**
 * What became of the reports of a stretch of time: of an asset, of flats and no place (null), or of
 * all. Hours: half of them took no longer (median), where what still waits waits longest; null when
 * most wait, or there is no report.
 */
type ReportFigures = {
  reports: number
  hoursToAnswer: number | null
  hoursToRepair: number | null
  repaired: number
  confirmed: number
}

/** Cents spent in a month (YYYY-MM), without void costs; of incidents without an asset: null. */
export type Spent = { assetId: number | null; month: string; costCents: number }

/** The stretch, with its reports by asset (null: flats and no place) and `all`, and its costs. */
export type YearPart = {
  span: YearSpan
  reports: Map<number | null | 'all', ReportFigures>
  spent: Spent[]
}

/** What happened in a year and, where there is one to compare with, the year before. */
export type YearRows = HistoryRows & {
  zone: string
  currency: string
  now: YearPart
  before: YearPart | null
}

/** Reads a year, and the one before, of one snapshot. The cost follows these years alone. */
export async function yearRows(zone: string, span: YearSpan, before: YearSpan | null): Promise<YearRows> {
  return inSnapshot(async (query) => {
    const [past, [property], now, then] = await Promise.all([
      pastOf(query, (before ?? span).start - repeatsReach, span.end),
      query<{ currency: string }>('select currency from properties'),
      partOf(query, zone, span),
      before && partOf(query, zone, before),
    ])
    return { ...past, zone, currency: property!.currency, now, before: then }
  })
}

async function partOf(query: Query, zone: string, span: YearSpan): Promise<YearPart> {
  const days = [`${span.year}-01-01`, dateIn(zone, span.end - 1)]
  const [reports, spent] = await Promise.all([
    query<ReportFigures & { assetId: number | null; all: boolean }>(reportsSql, [
      new Date(span.start),
      new Date(span.end),
    ]),
    query<Spent>(spentSql, days),
  ])
  const byAsset = reports.map(({ assetId, all, ...figures }) => [all ? 'all' : assetId, figures] as const)
  return { span, reports: new Map(byAsset), spent }
}

/**
 * Asset by asset, and what has none, because so each is found by its index. A report that was
 * closed for another reason than "fixed" was never repaired. Medians: what still waits waits
 * longest.
 */
const reportsSql = `
  with r as (
    select of_asset.* from assets a cross join lateral (
      select i.* from incidents i
      where i.asset_id = a.id and is_counted(i) and i.created_at >= $1 and i.created_at < $2
    ) of_asset
    union all
    select i.* from incidents i
    where i.asset_id is null and is_counted(i) and i.created_at >= $1 and i.created_at < $2
  ), figures as (
    select
      asset_id,
      date_part('epoch', acknowledged_at - created_at) / 3600 as to_answer,
      date_part('epoch', resolved_at - created_at) / 3600 as to_repair,
      coalesce(closing_reason, 'fixed') = 'fixed' as is_repair,
      resolved_at is not null and coalesce(closing_reason, 'fixed') = 'fixed' as is_repaired,
      status = 'verified' and exists (
        select from timeline_entries u
        where u.incident_id = r.id and u.new_status = 'verified' and u.is_by_resident
      ) as is_confirmed
    from r
  )
  select
    asset_id,
    grouping(asset_id) = 1 as "all",
    count(*) as reports,
    round(nullif(percentile_disc(0.5) within group (order by coalesce(to_answer, 'Infinity')),
      'Infinity')::numeric, 2) as hours_to_answer,
    round(nullif(percentile_disc(0.5) within group (order by coalesce(to_repair, 'Infinity'))
      filter (where is_repair), 'Infinity')::numeric, 2) as hours_to_repair,
    count(*) filter (where is_repaired) as repaired,
    count(*) filter (where is_repaired and is_confirmed) as confirmed
  from figures
  group by grouping sets ((asset_id), ())`

const spentSql = `
  select i.asset_id, to_char(c.incurred_on, 'YYYY-MM') as month, sum(c.amount_cents) as cost_cents
  from repair_costs c
  join incidents i on i.id = c.incident_id
  where c.voided_at is null and c.incurred_on between $1 and $2
  group by 1, 2`

/** A month (YYYY-MM) in the property's zone, with the cents spent and the faults reported. */
export type AssetMonth = { month: string; costCents: number; faults: number }

/** A fault of an asset, for the list of repeated faults. */
type AssetFault = {
  id: number
  title: string
  severity: Severity
  status: Status
  createdAt: Date
  resolvedAt: Date | null
}

/** An asset's year, for staff, beside its rollup. `since`: 365 days ago by the database's clock. */
export type AssetYear = { months: AssetMonth[]; faults: AssetFault[]; since: Date }

/** The last twelve months with this one, oldest first, and unmerged faults of the last 365 days. */
export async function assetYear(assetId: number): Promise<AssetYear> {
  const [months, faults, [frame]] = await Promise.all([
    query<AssetMonth>(monthsSql, [assetId]),
    query<AssetFault>(faultsSql, [assetId, limits.rollupDays, limits.rollupDays + repeatDays]),
    query<{ since: Date }>('select now() - make_interval(days => $1) as since', [limits.rollupDays]),
  ])
  return { months, faults, since: frame!.since }
}

const monthsSql = `
  with frame as (
    select timezone as zone, date_trunc('month', now() at time zone timezone) - interval '11 months' as first
    from properties
  ), spent as (
    select date_trunc('month', c.incurred_on::timestamp) as month, sum(c.amount_cents)::bigint as cents
    from repair_costs c join incidents i on i.id = c.incident_id, frame
    where i.asset_id = $1 and c.voided_at is null and c.incurred_on >= frame.first
    group by 1
  ), broke as (
    select date_trunc('month', i.created_at at time zone zone) as month, count(*) as faults
    from incidents i, frame
    where i.asset_id = $1 and is_counted(i) and i.created_at >= frame.first at time zone zone
    group by 1
  )
  select to_char(m.month, 'YYYY-MM') as month, coalesce(spent.cents, 0) as cost_cents,
    coalesce(broke.faults, 0) as faults
  from frame, generate_series(frame.first, frame.first + interval '11 months', interval '1 month') as m(month)
  left join spent using (month) left join broke using (month)
  order by m.month`

/** At most 500 faults are compared for repeats. */
const faultsSql = `
  select i.id, i.title, i.severity, i.status, i.created_at, i.resolved_at
  from incidents i
  where i.asset_id = $1 and is_counted(i) and (i.severity <> 'low' or i.is_downtime)
    and (i.created_at > now() - make_interval(days => $2) or i.resolved_at > now() - make_interval(days => $3))
  order by i.id desc limit 500`
