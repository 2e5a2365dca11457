import { query } from '../../platform/db/database.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import { repeatDays } from '../../vocabulary/repeatFaults.js'
import type { Severity } from '../../vocabulary/severity.js'
import { countedSql } from './incidentFacts.js'

/** A month (YYYY-MM) in the property's time zone, with the cents spent and the number of faults reported. */
export type AssetMonth = { month: string; costCents: number; faults: number }

/** A fault of an asset, for the list of repeated faults. */
export type AssetFault = {
  id: number
  title: string
  severity: Severity
  status: Status
  createdAt: Date
  resolvedAt: Date | null
}

/** An asset's year, for staff, beside its rollup. `since`: 365 days ago by the database's clock. */
export type AssetYear = { months: AssetMonth[]; faults: AssetFault[]; since: Date }

/** Most faults compared for repeats. */
const mostCompared = 500

/** The last twelve months, current one included, oldest first, and unmerged faults of the last 365 days. */
export async function assetYear(assetId: number): Promise<AssetYear> {
  const [months, faults, [frame]] = await Promise.all([
    query<AssetMonth>(monthsSql, [assetId]),
    query<AssetFault>(faultsSql, [assetId, mostCompared]),
    query<{ since: Date }>(`select ${ago(limits.rollupDays)} as since`),
  ])
  return { months, faults, since: frame!.since }
}

const ago = (days: number) => `now() - interval '${days} days'`

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
    where i.asset_id = $1 and ${countedSql('i')} and i.created_at >= frame.first at time zone zone
    group by 1
  )
  select to_char(m.month, 'YYYY-MM') as month, coalesce(spent.cents, 0) as "costCents",
    coalesce(broke.faults, 0) as faults
  from frame, generate_series(frame.first, frame.first + interval '11 months', interval '1 month') as m(month)
  left join spent using (month) left join broke using (month)
  order by m.month`

const faultsSql = `
  select id, title, severity, status, created_at as "createdAt", resolved_at as "resolvedAt"
  from incidents i
  where asset_id = $1 and ${countedSql('i')} and (severity <> 'low' or is_downtime)
    and (created_at > ${ago(limits.rollupDays)} or resolved_at > ${ago(limits.rollupDays + repeatDays)})
  order by id desc limit $2`
