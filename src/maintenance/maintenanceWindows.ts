import type { Change } from '../platform/db/change.js'
import { requireInUse } from '../platform/http/records/archive.js'
import { type RecordFields, type RecordKind, updateRecord } from '../platform/http/records/records.js'
import { announceBeforeCorrection } from '../status/announceStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import { Conflict } from '../vocabulary/conflict.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { overAt, type RecurringWindow, windowProblem } from '../vocabulary/time/recurrence.js'
import {
  lastBegun,
  nextBegin,
  plannedOn,
  sameSeriesPast,
  withOwnExceptions,
} from '../vocabulary/time/series.js'
import { begunOccurrences } from '../vocabulary/time/upcoming.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { notifyIfChanged } from './assetNews.js'
import { clockOf, keepOverAt } from './dates.js'
import { findWindow, type ListedWindow, timesOf, windowEntity } from './entity.js'
import { exceptionsOf, MaintenanceWindow } from './maintenanceWindow.js'

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
    if (after.assetId !== before?.assetId) await requireInUse(c, 'asset', after.assetId as number)
  },
  settle,
  watch: notifyIfChanged,
}

/**
 * Throws ValidationFailed when a window ends before it begins or overlaps its own repetition
 * (decision 3.4).
 */
export function requireTimes(times: Times, zone: string): void {
  const problem = windowProblem(timesOf(times), zone)
  if (problem) throw new ValidationFailed({ [problem.startsWith('until') ? 'until' : 'endsAt']: [problem] })
}

/**
 * Ends a series after what has begun of it, so that its past stays. Throws Conflict when nothing
 * has begun.
 */
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
async function settle(
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

/** Moves what has begun into a window of its own; returns the columns of what is left to come. */
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
    await c.query('insert into maintenance_exceptions (window_id, date, created_at) values ($1, $2, $3)', [
      before.id,
      date,
      c.now,
    ])
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
  await c.query('delete from maintenance_exceptions where window_id = $1 and not date = any ($2::date[])', [
    id,
    exceptions.map(({ date }) => date),
  ])
}

const asDate = (instant: number | null) => (instant === null ? null : new Date(instant))
