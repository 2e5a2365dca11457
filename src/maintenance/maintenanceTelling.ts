import type { PlannedWork } from '../notifications/follow/assetNewsQueries.js'
import { type Query, query } from '../platform/db/database.js'
import { epochMs } from '../platform/db/instants.js'
import { endsAfterSql, windowTimesSql } from '../status/queries/windowTimes.js'
import type { Interval } from '../vocabulary/time/intervals.js'
import type { RecurringWindow } from '../vocabulary/time/recurrence.js'

/** Days back in which work that is over is still told of, after a pause of the scheduler. */
export const doneWithin = 7

/** A window whose occurrences may have to be told of, with the clock and the building's zone. */
export type ToldWindow = RecurringWindow & {
  id: number
  assetId: number
  title: string
  knownSince: number
  now: number
  zone: string
}

const since = `now() - interval '${doneWithin} days'`

/**
 * Windows of assets in use that have not been over for long, or only the one with this id. Times in
 * epoch ms.
 */
export async function toldWindows(run: Query, id: number | null): Promise<ToldWindow[]> {
  return run(
    `select w.id, w.asset_id as "assetId", w.title, ${epochMs('w.known_since')} as "knownSince",
       ${epochMs('now()')} as now, p.timezone as zone, ${windowTimesSql('w', since)}
     from maintenance_windows w join assets a on a.id = w.asset_id, properties p
     where a.archived_at is null and ${endsAfterSql('w', since)} and ($1::integer is null or w.id = $1)
     order by w.id`,
    [id],
  )
}

/** An occurrence of a window, as it is told. */
export function workOn({ id, title, recurrence }: ToldWindow, { start, end }: Interval): PlannedWork {
  const [startsAt, endsAt] = [new Date(start).toISOString(), new Date(end).toISOString()]
  return { windowId: id, title, recurrence, startsAt, endsAt }
}

/** An occurrence to tell of, once. */
export type Telling = { assetId: number; what: 'ahead' | 'done'; work: PlannedWork }

/** Leaves news of those occurrences that nobody told of yet, in any process. Returns how many. */
export async function tellOccurrences(tellings: readonly Telling[]): Promise<number> {
  if (tellings.length === 0) return 0
  const [row] = await query<{ told: number }>(
    `with given as (
       select g.* from jsonb_to_recordset($1::jsonb) as g ("assetId" integer, what text, work jsonb)
         join maintenance_windows w on w.id = (g.work ->> 'windowId')::integer
     ), claimed as (
       insert into maintenance_tellings (window_id, starts_at, told)
       select (work ->> 'windowId')::integer, (work ->> 'startsAt')::timestamptz, what from given
       on conflict do nothing returning window_id, starts_at, told
     ), left_news as (
       insert into mail_events (event, asset_id, payload, created_at)
       select 'maintenance', g."assetId", g.work || jsonb_build_object('what', g.what), now()
       from given g join claimed c on c.window_id = (g.work ->> 'windowId')::integer
         and c.starts_at = (g.work ->> 'startsAt')::timestamptz and c.told = g.what
     )
     select count(*)::integer as told from claimed`,
    [JSON.stringify(tellings)],
  )
  return row!.told
}
