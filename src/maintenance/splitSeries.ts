import type { Change } from '../platform/db/change.js'
import type { RecordFields } from '../platform/http/records/recordActs.js'
import { changesBetween } from '../vocabulary/audit.js'
import { overAt, type RecurringWindow } from '../vocabulary/time/recurrence.js'
import {
  begunOccurrences,
  lastBegun,
  nextBegin,
  plannedOn,
  sameSeriesPast,
  withOwnExceptions,
} from '../vocabulary/time/series.js'
import { ValidationFailed } from '../vocabulary/validation.js'
import { timesOf } from './windowEntity.js'
import { asDate, clockOf, exceptionsOf, storeOverAt, type Times } from './windowRows.js'

/**
 * Returns the columns of a new or changed window, and stores what the change means for its dates:
 * exceptions of dates that the series no longer has are deleted. A change of repeating work is true
 * of the dates that have not begun: the others are moved into a window of their own (decision 3.4).
 * A change of work that does not repeat corrects it, whether it has begun or not.
 */
export async function storeSeriesChange(
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
  // The order matters: the first write takes the exceptions of dates that have begun into the past,
  // the second deletes what the remaining series does not have. Dates that took place early are
  // skipped last, because the first takes their exceptions away and the second would not know them.
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
  before: RecordFields & { id: number },
  seriesChange: SeriesChange,
  lastBegunDate: string,
): Promise<void> {
  const { storedSeries, zone, now } = seriesChange
  const { id, ...fields } = before
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
  seriesChange: SeriesChange,
  remainingSeries: RecurringWindow,
  lastBegunDate: string,
): Promise<void> {
  const { storedSeries, zone, now } = seriesChange
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
