import type { PlannedWork } from '../notifications/emails/assetNotice.js'
import type { Query } from '../platform/db/database.js'
import { type Interval, spanTexts } from '../vocabulary/time/intervals.js'
import type { RecurringWindow } from '../vocabulary/time/recurrence.js'

/** Days for which followers still get news of work that is over, after a pause of the scheduler. */
export const doneWithin = 7

/** A window whose occurrences may need a reminder, with the clock and the building's zone. */
export type ReminderWindow = RecurringWindow & {
  id: number
  assetId: number
  title: string
  knownSince: number
  now: number
  zone: string
}

/** Windows of assets in use that are not long over, or only this one. Times in epoch ms. */
export async function reminderWindows(run: Query, id: number | null): Promise<ReminderWindow[]> {
  return run(
    `select w.id, w.asset_id, w.title, epoch_ms(w.known_since) as known_since, epoch_ms(now()) as now,
       p.timezone as zone, w.starts_at, w.ends_at, w.recurrence, w.until, w.exceptions
     from window_dates(now() - make_interval(days => $2)) w, properties p
     where w.is_in_use and ($1::integer is null or w.id = $1)
     order by w.id`,
    [id, doneWithin],
  )
}

/** An occurrence of a window, as followers read of it. */
export function workOn({ id, title, recurrence }: ReminderWindow, times: Interval): PlannedWork {
  return { windowId: id, title, recurrence, ...spanTexts(times) }
}
