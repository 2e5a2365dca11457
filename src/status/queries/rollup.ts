import { query } from '../../platform/db/database.js'
import { limits } from '../../vocabulary/limits.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'
import { assetImpacts } from '../impacts/readImpacts.js'
import { plannedWindows } from './plannedWindows.js'

/**
 * The rows of an asset's last 365 days, for staff (decision 3.6). Times in epoch ms of the
 * database's clock.
 */
export type RollupRows = {
  now: number
  zone: string
  costCents: number
  downtime: Interval[]
  windows: RecurringWindow[]
}

/** Reads the costs, downtime and windows of one asset over the last 365 days. */
export async function rollupRows(assetId: number): Promise<RollupRows> {
  const [[frame], spans, windows] = await Promise.all([
    query<{ now: number; zone: string; costCents: number }>(costSql, [assetId, limits.rollupDays]),
    assetImpacts(query, limits.rollupDays, [assetId]),
    plannedWindows(query, { since: { daysAgo: limits.rollupDays }, assetIds: [assetId] }),
  ])
  return { ...frame!, downtime: spans.filter(({ impact }) => impact === 'down'), windows }
}

const costSql = `
  select epoch_ms(now()) as now, p.timezone as zone, coalesce((
    select sum(c.amount_cents)
    from repair_costs c
    join incidents i on i.id = c.incident_id
    where i.asset_id = $1 and c.voided_at is null
      and c.incurred_on > (now() at time zone p.timezone)::date - $2::integer
  ), 0)::bigint as cost_cents
  from properties p`
