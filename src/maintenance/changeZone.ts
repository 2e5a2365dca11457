import type { Change } from '../platform/db/change.js'
import { announceBeforeCorrection } from '../status/announceStatus.js'
import { DAY } from '../vocabulary/time/durations.js'
import { plannedDates, type RecurringWindow } from '../vocabulary/time/recurrence.js'
import { dateText, plannedOn } from '../vocabulary/time/series.js'
import { keepOverAt } from './dates.js'
import { timesOf } from './entity.js'
import { exceptionsOf, MaintenanceWindow } from './maintenanceWindow.js'

/**
 * Repeating windows move with the property's zone, with their skipped and moved dates; the live
 * status of their assets may change (decision 3.5). To be called before the new zone is stored.
 */
export async function changeZone(c: Change, was: string, zone: string): Promise<void> {
  const repeating = await MaintenanceWindow.query(c.trx)
    .whereNot('recurrence', 'none')
    .orderBy('id')
    .forUpdate()
  await announceBeforeCorrection(
    c,
    repeating.map(({ assetId }) => assetId),
  )
  for (const window of repeating) {
    const exceptions = await exceptionsOf(c.query, window.id)
    for (const { date } of exceptions)
      await c.query('update maintenance_exceptions set date = $3 where window_id = $1 and date = $2', [
        window.id,
        date,
        sameDate(timesOf(window), was, zone, date),
      ])
    await c.query('update maintenance_windows set known_since = $2 where id = $1', [window.id, c.now])
    await keepOverAt(c, window.id, zone)
  }
}

/** The local date in the new zone of the occurrence that has `date` in the old one. */
function sameDate(window: RecurringWindow, was: string, zone: string, date: string): string {
  const planned = plannedOn(window, was, date)
  if (!planned) return date
  const nth = plannedDates(window, was, -Infinity, planned.start + 1).length - 1
  const there = plannedDates({ ...window, until: null }, zone, -Infinity, planned.end + 40 * DAY)[nth]
  return there ? dateText(there.date) : date
}
