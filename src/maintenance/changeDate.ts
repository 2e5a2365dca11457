import { type Change, change } from '../platform/db/change.js'
import { updateIn } from '../platform/http/records/recordActs.js'
import { changesBetween } from '../vocabulary/audit.js'
import { Conflict } from '../vocabulary/conflict.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { dateText } from '../vocabulary/time/calendar.js'
import { type Interval, spanTexts } from '../vocabulary/time/intervals.js'
import {
  begunOccurrences,
  lastBegun,
  plannedOn,
  samePast,
  timesOn,
  withMoved,
} from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { timesOf } from './windowEntity.js'
import { clockOf, exceptionsOf, MaintenanceWindow, storeOverAt } from './windowRows.js'
import { requireTimes, windowKind } from './windows.js'
import { readSeriesBefore } from './workNews.js'

/** What is done to one date of a series; `restored`: it takes place again as the series has it. */
type DateChange = { kind: 'moved'; times: Interval } | { kind: 'skipped' } | { kind: 'restored' }

/** The times of a date after its change; null when it does not take place. */
function timesAfter(dateChange: DateChange, planned: Interval): Interval | null {
  if (dateChange.kind === 'skipped') return null
  return dateChange.kind === 'moved' ? dateChange.times : { start: planned.start, end: planned.end }
}

/**
 * Moves, skips or restores the occurrence of a local date (YYYY-MM-DD) of a series. Throws
 * NotFound, ValidationFailed, Conflict when it has begun: then only its end can change, to a time
 * to come.
 */
export async function changeDate(
  actor: Actor,
  id: number,
  date: string,
  dateChange: DateChange,
): Promise<void> {
  await change(actor, (c) => changeDateIn(c, id, date, dateChange))
}

/** Changes a date within a change. Throws as `changeDate` does. */
async function changeDateIn(c: Change, id: number, date: string, dateChange: DateChange): Promise<void> {
  const row = orNotFound(await MaintenanceWindow.query(c.trx).findById(id).forUpdate())
  if (row.recurrence === 'none') throw new Conflict('window_does_not_repeat')
  const { zone, now } = await clockOf(c)
  const window = timesOf({ ...row, exceptions: await exceptionsOf(c.query, id) })
  const planned = plannedOn(window, zone, date)
  if (!planned) throw new ValidationFailed({ date: ['window_date_unknown'] })
  const before = timesOn(window, planned)
  const after = timesAfter(dateChange, planned)
  const changes = changesBetween(asFields(before), asFields(after))
  if (Object.keys(changes).length === 0) return c.noop()
  if (after) {
    const times = { startsAt: new Date(after.start), endsAt: new Date(after.end) }
    requireTimes({ ...times, recurrence: row.recurrence, until: null }, zone)
  }
  requireUnbegun(before, after, dateChange.kind, now)
  const notifyDateChange = await readSeriesBefore(c, id)
  if (dateChange.kind === 'restored')
    await c.trx('maintenance_exceptions').where({ windowId: id, date }).delete()
  else
    await c.query(
      `insert into maintenance_exceptions (window_id, date, starts_at, ends_at, created_at)
         values ($1, $2, $3, $4, $5)
         on conflict (window_id, date) do update set starts_at = $3, ends_at = $4`,
      [id, date, after && new Date(after.start), after && new Date(after.end), c.now],
    )
  await storeOverAt(c, id, zone)
  const seriesDate = dateText(planned.date)
  await notifyDateChange(seriesDate, before, after)
  // The audit entry names the date although it does not change: a series has many.
  c.audit(`maintenance_window.date_${dateChange.kind}`, id, {
    date: { before: seriesDate, after: seriesDate },
    ...changes,
  })
  c.recheckStatus(row.assetId)
}

/** Throws Conflict or ValidationFailed for a change of what has begun, as `changeDate` says. */
function requireUnbegun(
  before: Interval | null,
  after: Interval | null,
  kind: DateChange['kind'],
  now: number,
): void {
  const listed = (times: Interval | null) => (times ? [times] : [])
  if (samePast(listed(before), listed(after), now)) return
  const isBegun = before !== null && before.start <= now
  if (isBegun || kind === 'restored') throw new Conflict('occurrence_begun')
  throw new ValidationFailed({ startsAt: ['moved_into_past'] })
}

const asFields = (times: Interval | null) => (times ? spanTexts(times) : { startsAt: null, endsAt: null })

/**
 * Ends a series and keeps what has started of it: dates that were put off to a time to come are
 * skipped. Throws Conflict when nothing has started.
 */
export async function endSeries(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const row = orNotFound(await MaintenanceWindow.query(c.trx).findById(id).forUpdate())
    const { zone, now } = await clockOf(c)
    const series = timesOf({ ...row, exceptions: await exceptionsOf(c.query, id) })
    const until = row.recurrence === 'none' ? null : lastBegun(series, zone, now)
    if (until === null || begunOccurrences(series, zone, now) === 0) throw new Conflict('window_not_begun')
    // Later dates leave the series with its new last day.
    const putOff = withMoved(series, zone, []).filter(
      ({ date, times }) => date <= until && times !== null && times.start > now,
    )
    for (const { date } of putOff) await changeDateIn(c, id, date, { kind: 'skipped' })
    // A change of nothing would take the skipped dates back.
    if (putOff.length === 0 || until !== row.until) await updateIn(c, windowKind, id, { until })
  })
}
