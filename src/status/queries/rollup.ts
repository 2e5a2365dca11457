import { type Query, query } from '../../platform/db/database.js'
import { limits } from '../../vocabulary/limits.js'
import { type Interval, union } from '../../vocabulary/time/intervals.js'
import { occurrences, type RecurringWindow } from '../../vocabulary/time/recurrence.js'
import { assetImpacts } from './impacts.js'
import { plannedWindows } from './windowTimes.js'

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
    plannedWindows(query, limits.rollupDays, [assetId]),
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

/** Days that no window is older than. */
const always = 36_500

/**
 * SQL: hours with two decimals that the incident `i` itself made assets down, less their
 * maintenance (decision 2.8). Past windows stand in the text, because only a rule in vocabulary
 * knows when they recurred.
 */
export async function downtimeHoursSql(query: Query): Promise<string> {
  const [frame] = await query<{ now: number; zone: string }>(
    `select epoch_ms(now()) as now, timezone as zone from properties`,
  )
  const byAsset = new Map<number, Interval[]>()
  for (const window of await plannedWindows(query, always, null)) {
    const past = occurrences(window, frame!.zone, window.startsAt, frame!.now)
    byAsset.set(window.assetId, [...(byAsset.get(window.assetId) ?? []), ...past])
  }
  const cases = [...byAsset].map(([asset, past]) => `when ${Number(asset)} then ${multirange(past)}`)
  const planned = cases.length > 0 ? `case m.asset_id ${cases.join(' ')} end` : 'null::int8multirange'
  return `coalesce((
    select round(sum(upper(time) - lower(time) - case when planned && time
      then (select sum(upper(part) - lower(part)) from unnest(planned * int8multirange(time)) part) else 0 end)::float8 / 36000) / 100
    from asset_impacts m
    cross join lateral (
      select int8range(${ms('m.started_at')}, ${ms('greatest(m.started_at, coalesce(m.ended_at, now()))')}) as time, ${planned} as planned
      offset 0
    ) of_row
    where m.incident_id = i.id and m.impact = 'down'
  ), 0)`
}

const ms = (instant: string) => `epoch_ms(${instant})::int8`

function multirange(times: readonly Interval[]): string {
  return `'{${union(times).map(({ start, end }) => `[${Number(start)},${Number(end)})`)}}'::int8multirange`
}
