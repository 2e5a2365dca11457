import { query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import { limits } from '../../vocabulary/limits.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'
import { assetImpacts } from './impacts.js'
import { endsAfterSql, windowTimesSql } from './windowTimes.js'

/** The rows of an asset's last 365 days, for staff (decision 3.6). Times in epoch ms of the database's clock. */
export type RollupRows = {
  now: number
  zone: string
  costCents: number
  downtime: Interval[]
  windows: RecurringWindow[]
}

const rolledUp = `now() - interval '${limits.rollupDays} days'`

/** Reads the costs, downtime and windows of one asset over the last 365 days. */
export async function rollupRows(assetId: number): Promise<RollupRows> {
  const [[frame], spans, windows] = await Promise.all([
    query<{ now: number; zone: string; costCents: number }>(costSql, [assetId]),
    assetImpacts(query, limits.rollupDays, [assetId]),
    query<RecurringWindow>(windowsSql, [assetId]),
  ])
  return { ...frame!, downtime: spans.filter(({ impact }) => impact === 'down'), windows }
}

const costSql = `
  select ${epochMs('now()')} as now, p.timezone as zone, coalesce((
    select sum(c.amount_cents) from repair_costs c join incidents i on i.id = c.incident_id
    where i.asset_id = $1 and c.voided_at is null
      and c.incurred_on > (now() at time zone p.timezone)::date - ${limits.rollupDays}
  ), 0)::bigint as "costCents"
  from properties p`

const windowsSql = `
  select ${windowTimesSql('w', rolledUp)} from maintenance_windows w
  where w.asset_id = $1 and ${endsAfterSql('w', rolledUp)}`
