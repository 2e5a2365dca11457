import type { Change } from '../platform/db/change.js'
import { announceBeforeCorrection } from '../status/announceStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import { DAY, dateText } from '../vocabulary/time/calendar.js'
import { plannedDates, type RecurringWindow } from '../vocabulary/time/recurrence.js'
import { plannedOn } from '../vocabulary/time/series.js'
import { timesOf } from './windowEntity.js'
import { exceptionsOf, MaintenanceWindow, storeOverAt } from './windowRows.js'

/**
 * Repeating windows move with the property's zone, with their skipped and moved dates and their
 * last day; the live status of their assets may change (decision 3.5). To be called before the new
 * zone is stored.
 */
export async function changeZone(c: Change, oldZone: string, newZone: string): Promise<void> {
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
      await c
        .trx('maintenance_exceptions')
        .where({ windowId: window.id, date })
        .update({ date: dateInNewZone(timesOf(window), oldZone, newZone, date) })
    const until = untilInNewZone(timesOf(window), oldZone, newZone)
    await c.trx('maintenance_windows').where({ id: window.id }).update({ until, knownSince: c.now })
    await storeOverAt(c, window.id, newZone)
    if (until !== window.until)
      c.audit('maintenance_window.updated', window.id, changesBetween({ until: window.until }, { until }))
  }
}

/** The local date in the new zone of the occurrence that has `date` in the old one. */
function dateInNewZone(window: RecurringWindow, oldZone: string, newZone: string, date: string): string {
  const planned = plannedOn(window, oldZone, date)
  if (!planned) return date
  const position = plannedDates(window, oldZone, -Infinity, planned.start + 1).length - 1
  // Clocks of two zones put an occurrence on another date, a few days away where months are short.
  const searchEnd = planned.end + 40 * DAY
  const datesInNewZone = plannedDates({ ...window, until: null }, newZone, -Infinity, searchEnd)
  const occurrence = datesInNewZone[position]
  return occurrence ? dateText(occurrence.date) : date
}

/**
 * The last day with which a series has as many dates in the new zone as in the old one: the same,
 * unless the clocks of the new zone put its last date on another day. A series without dates keeps
 * its last day: version 1.0.0 could take the last one by a change of the zone.
 */
function untilInNewZone(window: RecurringWindow, oldZone: string, newZone: string): string | null {
  if (!window.until) return null
  const dates = plannedDates(window, oldZone, -Infinity, Infinity)
  const last = dates.at(-1)
  if (!last || dates.length === plannedDates(window, newZone, -Infinity, Infinity).length) return window.until
  return dateInNewZone(window, oldZone, newZone, dateText(last.date))
}
