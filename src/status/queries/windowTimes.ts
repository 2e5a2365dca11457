import type { Query } from '../../platform/db/database.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'

/** Planned work on an asset; `knownSince`: when it was last changed (epoch ms). */
export type PlannedWindow = RecurringWindow & {
  id: number
  assetId: number
  title: string
  knownSince: number
}

/** Planned work on assets, archived or not, that ends after an instant; as it starts. */
export function windowsSince(query: Query, since: Date): Promise<PlannedWindow[]> {
  return query(
    `select id, asset_id, title, starts_at, ends_at, recurrence, until, exceptions, epoch_ms(known_since) as known_since
     from window_dates($1)
     order by starts_at, id`,
    [since],
  )
}

/** Planned work on assets in use that had not ended for good so many days ago; as it starts. */
export function windowsInUse(query: Query, days: number): Promise<PlannedWindow[]> {
  return query(
    `select id, asset_id, title, starts_at, ends_at, recurrence, until, exceptions, epoch_ms(known_since) as known_since
     from window_dates(now() - make_interval(days => $1))
     where is_in_use
     order by starts_at, id`,
    [days],
  )
}

/** Windows that had not ended for good `days` ago, of these assets or of all. */
export function plannedWindows(
  query: Query,
  days: number,
  ids: readonly number[] | null,
): Promise<PlannedWindow[]> {
  return query(
    `select id, asset_id, title, starts_at, ends_at, recurrence, until, exceptions, epoch_ms(known_since) as known_since
     from window_dates(now() - make_interval(days => $2))
     where $1::integer[] is null or asset_id = any ($1)
     order by starts_at, id`,
    [ids, days],
  )
}
