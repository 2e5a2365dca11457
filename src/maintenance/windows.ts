import { requireAssetInUse } from '../building/requireExisting.js'
import { type Change, change } from '../platform/db/change.js'
import type { Query } from '../platform/db/database.js'
import { rowOf } from '../platform/db/row.js'
import type { ColumnsOf } from '../platform/http/records/entityTypes.js'
import { type RecordFields, type RecordKind, updateIn } from '../platform/http/records/recordActs.js'
import { announceBeforeCorrection } from '../status/announceStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import { Conflict } from '../vocabulary/conflict.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { DAY, dateText } from '../vocabulary/time/calendar.js'
import { type Interval, spanTexts } from '../vocabulary/time/intervals.js'
import {
  overAt,
  plannedDates,
  type RecurringWindow,
  type WindowException,
  windowProblem,
} from '../vocabulary/time/recurrence.js'
import {
  begunOccurrences,
  lastBegun,
  nextBegin,
  plannedOn,
  samePast,
  sameSeriesPast,
  timesOn,
  withMoved,
  withOwnExceptions,
} from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { type ListedWindow, timesOf, windowEntity } from './entity.js'
import { readSeriesBefore, readWorkBefore } from './reminders.js'

/** A row of `maintenance_windows`: planned work on an asset (spec §2). */
export class MaintenanceWindow extends rowOf<ColumnsOf<typeof windowEntity>>() {
  static override tableName = 'maintenance_windows'
}

/** The skipped and moved dates of a window, by date. */
async function exceptionsOf(read: Query, id: number): Promise<WindowException[]> {
  return read(
    `select date, epoch_ms(starts_at) as starts_at, epoch_ms(ends_at) as ends_at
     from maintenance_exceptions where window_id = $1 order by date`,
    [id],
  )
}

/** The property's zone and the clock now, not when the transaction began: it may have waited. */
async function clockOf(c: Change): Promise<{ zone: string; now: number }> {
  const [clock] = await c.query<{ zone: string; now: Date }>(
    'select timezone as zone, clock_timestamp() as now from properties',
  )
  return { zone: clock!.zone, now: clock!.now.getTime() }
}

/** Stores when the last occurrence ends, after a change of series, exceptions or zone. */
async function storeOverAt(c: Change, id: number, zone: string): Promise<void> {
  const window = (await MaintenanceWindow.query(c.trx).findById(id))!
  const exceptions = await exceptionsOf(c.query, id)
  const over = overAt(timesOf({ ...window, exceptions }), zone)
  await c
    .trx('maintenance_windows')
    .where({ id })
    .update({ overAt: asDate(over) })
}

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

type Times = Pick<ListedWindow, 'startsAt' | 'endsAt' | 'recurrence' | 'until'>

/** Maintenance windows as records. Each write may change the asset's live status (decision 3.5). */
export const windowKind: RecordKind = {
  ...windowEntity.kind,
  model: MaintenanceWindow,
  prepare: (c, versions) =>
    announceBeforeCorrection(
      c,
      versions.map(({ assetId }) => assetId as number),
    ),
  check: async (c, after, before) => {
    requireTimes(after as Times, (await clockOf(c)).zone)
    if (after.assetId !== before?.assetId) await requireAssetInUse(c, after.assetId as number)
  },
  toColumns: storeSeriesChange,
  watch: readWorkBefore,
  references: [
    { table: 'maintenance_exceptions', column: 'window_id', deleted: true },
    { table: 'maintenance_reminders', column: 'window_id', deleted: true },
  ],
}

/** Throws ValidationFailed for a window that ends too early or overlaps itself (decision 3.4). */
export function requireTimes(times: Times, zone: string): void {
  const problem = windowProblem(timesOf(times), zone)
  if (problem) throw new ValidationFailed({ [problem.startsWith('until') ? 'until' : 'endsAt']: [problem] })
}

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
    if (until === null) throw new Conflict('window_not_begun')
    // Later dates leave the series with its new last day.
    const putOff = withMoved(series, zone, []).filter(
      ({ date, times }) => date <= until && times !== null && times.start > now,
    )
    for (const { date } of putOff) await changeDateIn(c, id, date, { kind: 'skipped' })
    // A change of nothing would take the skipped dates back.
    if (putOff.length === 0 || until !== row.until) await updateIn(c, windowKind, id, { until })
  })
}

/**
 * Returns the columns of a new or changed window, and stores what the change means for its dates:
 * exceptions of dates that the series no longer has are deleted. A change of repeating work is true
 * of the dates that have not begun: the others are moved into a window of their own (decision 3.4).
 * A change of work that does not repeat corrects it, whether it has begun or not.
 */
async function storeSeriesChange(
  c: Change,
  after: RecordFields,
  before: (RecordFields & { id: number }) | null,
): Promise<RecordFields> {
  const { zone, now } = await clockOf(c)
  const newTimes = timesOf(after as Times)
  if (!before) return { ...after, overAt: asDate(overAt(newTimes, zone)), knownSince: c.now }

  const exceptions = await exceptionsOf(c.query, before.id)
  const storedSeries = { ...timesOf(before as unknown as Times), exceptions }
  const newSeries = withOwnExceptions({ ...newTimes, exceptions }, zone)
  const isPastKept = sameSeriesPast(storedSeries, newSeries, zone, now)
  const isAssetKept = after.assetId === before.assetId
  const isRepeating = storedSeries.recurrence !== 'none' || newSeries.recurrence !== 'none'
  const hasBegun = begunOccurrences(storedSeries, zone, now) > 0
  if (isRepeating && hasBegun && !(isPastKept && isAssetKept))
    return splitSeries(c, after, before, { storedSeries, newSeries, zone, now })

  await deleteOtherExceptions(c, before.id, newSeries)
  const columns = { ...after, overAt: asDate(overAt(newSeries, zone)) }
  if (isPastKept) return columns
  // Corrected times are known only from now on: no one is notified that such work is done when it
  // ended before.
  return { ...columns, knownSince: c.now }
}

/** A series as it is stored and as it is to be; `now` in epoch milliseconds. */
type SeriesChange = {
  storedSeries: RecurringWindow
  newSeries: RecurringWindow
  zone: string
  now: number
}

/**
 * Moves what has begun of the stored series into a window of its own. Returns the columns of the
 * window that goes on: the new series from its first date that has not begun. Throws
 * ValidationFailed when the new series has no such date.
 */
async function splitSeries(
  c: Change,
  after: RecordFields,
  before: RecordFields & { id: number },
  seriesChange: SeriesChange,
): Promise<RecordFields> {
  const { storedSeries, newSeries, zone, now } = seriesChange
  const lastBegunDate = lastBegun(storedSeries, zone, now)!
  const firstAhead = nextBegin({ ...newSeries, exceptions: [] }, zone, now, lastBegunDate)
  if (!firstAhead) {
    const field = newSeries.recurrence === 'none' ? 'recurrence' : 'until'
    throw new ValidationFailed({ [field]: ['window_over'] })
  }
  const remainingSeries = { ...newSeries, startsAt: firstAhead.start, endsAt: firstAhead.end }
  await storePast(c, before, seriesChange, lastBegunDate)
  await deleteOtherExceptions(c, before.id, withOwnExceptions(remainingSeries, zone))
  await skipBegunAhead(c, before.id, seriesChange, remainingSeries, lastBegunDate)
  const exceptions = await exceptionsOf(c.query, before.id)
  return {
    ...after,
    startsAt: new Date(firstAhead.start),
    endsAt: new Date(firstAhead.end),
    overAt: asDate(overAt({ ...remainingSeries, exceptions }, zone)),
    knownSince: c.now,
  }
}

/**
 * Copies the stored window up to the last date that has begun, with the exceptions until then and
 * with what followers were reminded of: they are not reminded of the same date again.
 */
async function storePast(
  c: Change,
  { id, ...fields }: RecordFields & { id: number },
  { storedSeries, zone, now }: SeriesChange,
  lastBegunDate: string,
): Promise<void> {
  const until = storedSeries.recurrence === 'none' ? null : lastBegunDate
  const [past] = await c.query<{ id: number }>(
    `insert into maintenance_windows
       (asset_id, title, starts_at, ends_at, recurrence, until, notes, created_at, known_since)
     select asset_id, title, starts_at, ends_at, recurrence, $2, notes, created_at, known_since
     from maintenance_windows where id = $1 returning id`,
    [id, until],
  )
  await c.query(
    `update maintenance_exceptions set window_id = $2
     where window_id = $1 and (date <= $3 or starts_at <= to_timestamp($4))`,
    [id, past!.id, lastBegunDate, now / 1000],
  )
  await c.query(
    `insert into maintenance_reminders (window_id, starts_at, kind, sent_at)
     select $2, starts_at, kind, sent_at from maintenance_reminders where window_id = $1`,
    [id, past!.id],
  )
  await storeOverAt(c, past!.id, zone)
  c.audit('maintenance_window.created', past!.id, {
    ...changesBetween(null, { ...fields, until }),
    pastOf: { before: null, after: id },
  })
}

/**
 * Skips later dates that were moved to a time that has begun: they belong to the window of the
 * past, and the remaining series must not have them a second time.
 */
async function skipBegunAhead(
  c: Change,
  windowId: number,
  { storedSeries, zone, now }: SeriesChange,
  remainingSeries: RecurringWindow,
  lastBegunDate: string,
): Promise<void> {
  for (const { date, startsAt } of storedSeries.exceptions ?? []) {
    const hasBegun = startsAt !== null && startsAt <= now
    if (hasBegun && date > lastBegunDate && plannedOn(remainingSeries, zone, date))
      await c.trx('maintenance_exceptions').insert({ windowId, date, createdAt: c.now })
  }
}

/** Deletes the exceptions of dates that the series does not have. */
async function deleteOtherExceptions(c: Change, id: number, series: RecurringWindow): Promise<void> {
  const dates = (series.exceptions ?? []).map(({ date }) => date)
  await c.trx('maintenance_exceptions').where({ windowId: id }).whereNotIn('date', dates).delete()
}

const asDate = (instant: number | null) => (instant === null ? null : new Date(instant))

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
 * unless the clocks of the new zone put its last date on another day.
 */
function untilInNewZone(window: RecurringWindow, oldZone: string, newZone: string): string | null {
  if (!window.until) return null
  const dates = plannedDates(window, oldZone, -Infinity, Infinity)
  if (dates.length === plannedDates(window, newZone, -Infinity, Infinity).length) return window.until
  return dateInNewZone(window, oldZone, newZone, dateText(dates.at(-1)!.date))
}
