import { epochMs } from '../../platform/db/instants.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'

/** Planned work on an asset. */
export type PlannedWindow = RecurringWindow & { id: number; assetId: number; title: string }

/**
 * SQL: the planned work that ends after the instant `since`, and meets the condition on the window
 * `w` and its asset `a`; as it starts.
 */
export const windowsSql = (since: string, condition = 'true') => `
  select w.id, w.asset_id as "assetId", w.title, ${windowTimesSql('w', since)}
  from maintenance_windows w join assets a on a.id = w.asset_id
  where ${endsAfterSql('w', since)} and ${condition}
  order by w.starts_at, w.id`

/**
 * SQL: the columns of a RecurringWindow, times in epoch ms, for occurrences that end after the
 * instant `since`. Earlier exceptions are left out, so the cost does not grow with the years a
 * window has repeated.
 */
export const windowTimesSql = (w: string, since: string) => `
  ${epochMs(`${w}.starts_at`)} as "startsAt", ${epochMs(`${w}.ends_at`)} as "endsAt", ${w}.recurrence, ${w}.until,
  ${exceptionsSql(w, `and greatest(x.date + interval '${longest} days', x.ends_at) > ${since}`)} as exceptions`

/** SQL: whether a window has an occurrence that ends after the instant `since`. */
export const endsAfterSql = (w: string, since: string) =>
  `(case ${w}.recurrence when 'none' then ${w}.ends_at else ${w}.over_at end > ${since}) is not false`

/** SQL: the exceptions of a window that meet the condition on `x`, as JSON, by date. */
export const exceptionsSql = (w: string, condition = '') => `(
  select coalesce(json_agg(json_build_object(
    'date', x.date, 'startsAt', ${epochMs('x.starts_at')}, 'endsAt', ${epochMs('x.ends_at')}) order by x.date), '[]')
  from maintenance_exceptions x where x.window_id = ${w}.id ${condition})`

/** Days from an occurrence's date to its end: at most 28, one for its start, one for time zones. */
const longest = 30
