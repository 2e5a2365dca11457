import { requireAssetInUse } from '../building/archive.js'
import { type Change, change } from '../platform/db/change.js'
import { type Query, rowOf } from '../platform/db/database.js'
import type { ColumnsOf } from '../platform/http/records/entity.js'
import { type RecordFields, type RecordKind, updateRecord } from '../platform/http/records/records.js'
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
  withOwnExceptions,
} from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { findWindow, type ListedWindow, timesOf, windowEntity } from './entity.js'
import { notifyIfChanged, notifyIfDateChanged } from './reminders.js'

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

/** Notes when the last occurrence ends, after a change of the series or its exceptions. */
async function keepOverAt(c: Change, id: number, given?: string): Promise<void> {
  const zone = given ?? (await clockOf(c)).zone
  const window = (await MaintenanceWindow.query(c.trx).findById(id))!
  const over = overAt(timesOf({ ...window, exceptions: await exceptionsOf(c.query, id) }), zone)
  await c
    .trx('maintenance_windows')
    .where({ id })
    .update({ overAt: over && new Date(over) })
}

/**
 * Moves the occurrence of a local date (YYYY-MM-DD) of a series, skips it (null), or takes it back
 * to where the series has it. Throws NotFound, ValidationFailed, Conflict when it has begun: then
 * only its end can change, to a time to come.
 */
export async function moveDate(actor: Actor, id: number, date: string, to: Interval | null | 'planned') {
  const act = to === 'planned' ? 'date_restored' : to === null ? 'date_skipped' : 'date_moved'
  await change(actor, async (c) => {
    const row = orNotFound(await MaintenanceWindow.query(c.trx).findById(id).forUpdate())
    if (row.recurrence === 'none') throw new Conflict('window_does_not_repeat')
    const { zone, now } = await clockOf(c)
    const window = timesOf({ ...row, exceptions: await exceptionsOf(c.query, id) })
    const planned = plannedOn(window, zone, date)
    if (!planned) throw new ValidationFailed({ date: ['window_date_unknown'] })
    const before = timesOn(window, planned)
    const after = to === 'planned' ? { start: planned.start, end: planned.end } : to
    const changes = changesBetween(asFields(before), asFields(after))
    if (Object.keys(changes).length === 0) return c.noop()
    if (after) {
      const times = { startsAt: new Date(after.start), endsAt: new Date(after.end) }
      requireTimes({ ...times, recurrence: row.recurrence, until: null }, zone)
    }
    requireUnbegun(before, after, act, now)
    const notify = await notifyIfDateChanged(c, id)
    if (to === 'planned') await c.trx('maintenance_exceptions').where({ windowId: id, date }).delete()
    else
      await c.query(
        `insert into maintenance_exceptions (window_id, date, starts_at, ends_at, created_at) values ($1, $2, $3, $4, $5)
         on conflict (window_id, date) do update set starts_at = $3, ends_at = $4`,
        [id, date, to && new Date(to.start), to && new Date(to.end), c.now],
      )
    await keepOverAt(c, id)
    const named = dateText(planned.date)
    await notify(named, before, after)
    c.audit(`maintenance_window.${act}`, id, { date: { before: named, after: named }, ...changes })
    c.recheckStatus(row.assetId)
  })
}

function requireUnbegun(before: Interval | null, after: Interval | null, act: string, now: number): void {
  const listed = (times: Interval | null) => (times ? [times] : [])
  if (samePast(listed(before), listed(after), now)) return
  const isBegun = before !== null && before.start <= now
  if (isBegun || act === 'date_restored') throw new Conflict('occurrence_begun')
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
  toColumns,
  watch: notifyIfChanged,
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

/** Ends a series and keeps what has started of it. Throws Conflict when nothing has. */
export async function endSeries(actor: Actor, id: number): Promise<void> {
  const window = orNotFound(await findWindow(id))
  const until = window.recurrence === 'none' ? null : lastBegun(timesOf(window), window.zone, window.now)
  if (until === null) throw new Conflict('window_not_begun')
  await updateRecord(actor, windowKind, id, { until })
}

/**
 * A change of repeating work is true of the dates that have not begun: the others stay, in a window
 * of their own (decision 3.4). Work that does not repeat is corrected as it is given.
 */
async function toColumns(
  c: Change,
  after: RecordFields,
  before: (RecordFields & { id: number }) | null,
): Promise<RecordFields> {
  const { zone, now } = await clockOf(c)
  const given = timesOf(after as Times)
  if (!before) return { ...after, overAt: asDate(overAt(given, zone)), knownSince: c.now }
  const exceptions = await exceptionsOf(c.query, before.id)
  const was = { ...timesOf(before as unknown as Times), exceptions }
  const will = withOwnExceptions({ ...given, exceptions }, zone)
  const keepsPast = sameSeriesPast(was, will, zone, now) && after.assetId === before.assetId
  const repeats = was.recurrence !== 'none' || will.recurrence !== 'none'
  if (!keepsPast && repeats && begunOccurrences(was, zone, now) > 0)
    return continueFrom(c, after, before, { was, will, zone, now })
  await keepExceptions(c, before.id, will)
  const isCorrection = !sameSeriesPast(was, will, zone, now)
  return { ...after, overAt: asDate(overAt(will, zone)), ...(isCorrection ? { knownSince: c.now } : {}) }
}

type Series = { was: RecurringWindow; will: RecurringWindow; zone: string; now: number }

/** Moves what has started into a window of its own; returns the columns of what is left to come. */
async function continueFrom(
  c: Change,
  after: RecordFields,
  before: RecordFields & { id: number },
  { was, will, zone, now }: Series,
): Promise<RecordFields> {
  const begun = lastBegun(was, zone, now)!
  const next = nextBegin({ ...will, exceptions: [] }, zone, now, begun)
  if (!next)
    throw new ValidationFailed({ [will.recurrence === 'none' ? 'recurrence' : 'until']: ['window_over'] })
  const [startsAt, endsAt] = [new Date(next.start), new Date(next.end)]
  const coming = { ...will, startsAt: next.start, endsAt: next.end }
  const early = (was.exceptions ?? []).filter(
    (x) => x.startsAt !== null && x.startsAt <= now && x.date > begun,
  )
  await keepPast(c, before, was, { begun, now })
  await keepExceptions(c, before.id, withOwnExceptions(coming, zone))
  for (const { date } of early.filter((each) => plannedOn(coming, zone, each.date)))
    await c.trx('maintenance_exceptions').insert({ windowId: before.id, date, createdAt: c.now })
  const exceptions = await exceptionsOf(c.query, before.id)
  return {
    ...after,
    startsAt,
    endsAt,
    overAt: asDate(overAt({ ...coming, exceptions }, zone)),
    knownSince: c.now,
  }
}

async function keepPast(
  c: Change,
  { id, ...fields }: RecordFields & { id: number },
  was: RecurringWindow,
  { begun, now }: { begun: string; now: number },
): Promise<void> {
  const until = was.recurrence === 'none' ? null : begun
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
    [id, past!.id, begun, now / 1000],
  )
  await keepOverAt(c, past!.id)
  c.audit('maintenance_window.created', past!.id, {
    ...changesBetween(null, { ...fields, until }),
    pastOf: { before: null, after: id },
  })
}

/** Deletes the exceptions of dates that the series has no more. */
async function keepExceptions(c: Change, id: number, { exceptions = [] }: RecurringWindow): Promise<void> {
  const dates = exceptions.map(({ date }) => date)
  await c.trx('maintenance_exceptions').where({ windowId: id }).whereNotIn('date', dates).delete()
}

const asDate = (instant: number | null) => (instant === null ? null : new Date(instant))

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
      await c
        .trx('maintenance_exceptions')
        .where({ windowId: window.id, date })
        .update({ date: sameDate(timesOf(window), was, zone, date) })
    await c.trx('maintenance_windows').where({ id: window.id }).update({ knownSince: c.now })
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
