import type { Query } from '../../../platform/db/database.js'
import { plannedWindows } from '../../../status/queries/plannedWindows.js'
import { type Interval, union } from '../../../vocabulary/time/intervals.js'
import { occurrences } from '../../../vocabulary/time/recurrence.js'

/** Days that no window is older than: the export has incidents of any age. */
const allDays = 36_500

/**
 * SQL: hours with two decimals that the incident `i` itself made assets down, less their
 * maintenance (decision 2.8). Past windows stand in the text, because only a rule in vocabulary
 * knows when they recurred. `offset 0` keeps the planner from working out the time and the planned
 * work of a row again wherever they are read.
 */
export async function downtimeHoursSql(query: Query): Promise<string> {
  const [frame] = await query<{ now: number; zone: string }>(
    `select epoch_ms(now()) as now, timezone as zone from properties`,
  )
  const byAsset = new Map<number, Interval[]>()
  for (const window of await plannedWindows(query, { since: { daysAgo: allDays } })) {
    const past = occurrences(window, frame!.zone, window.startsAt, frame!.now)
    byAsset.set(window.assetId, [...(byAsset.get(window.assetId) ?? []), ...past])
  }
  const cases = [...byAsset].map(([asset, past]) => `when ${Number(asset)} then ${multirange(past)}`)
  const planned = cases.length > 0 ? `case m.asset_id ${cases.join(' ')} end` : 'null::int8multirange'
  const start = ms('m.started_at')
  const end = ms('greatest(m.started_at, coalesce(m.ended_at, now()))')
  return `coalesce((
    select round(sum(
      upper(time) - lower(time)
      - case
        when planned && time
        then (select sum(upper(part) - lower(part)) from unnest(planned * int8multirange(time)) part)
        else 0
      end
    )::float8 / 36000) / 100
    from asset_impacts m
    cross join lateral (
      select int8range(${start}, ${end}) as time, ${planned} as planned
      offset 0
    ) of_row
    where m.incident_id = i.id and m.impact = 'down'
  ), 0)`
}

const ms = (instant: string) => `epoch_ms(${instant})::int8`

function multirange(times: readonly Interval[]): string {
  return `'{${union(times).map(({ start, end }) => `[${Number(start)},${Number(end)})`)}}'::int8multirange`
}
