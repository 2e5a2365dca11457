import { type Change, change } from '../platform/db/change.js'
import { changesBetween } from '../vocabulary/audit.js'
import { Conflict } from '../vocabulary/conflict.js'
import type { Actor } from '../vocabulary/people/actor.js'
import type { Interval } from '../vocabulary/time/intervals.js'
import { overAt, type PlannedDate, windowProblem } from '../vocabulary/time/recurrence.js'
import { dateText, plannedOn, samePast, timesOn } from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { watchDate } from './assetNews.js'
import { timesOf } from './entity.js'
import { exceptionsOf, MaintenanceWindow } from './maintenanceWindow.js'

/**
 * The property's zone and the database's clock, now and not when the transaction began: it may have
 * waited.
 */
export async function clockOf(c: Change): Promise<{ zone: string; now: number }> {
  const [clock] = await c.query<{ zone: string; now: Date }>(
    'select timezone as zone, clock_timestamp() as now from properties',
  )
  return { zone: clock!.zone, now: clock!.now.getTime() }
}

/**
 * Moves the occurrence of a local date (YYYY-MM-DD) of a series, or skips it (null). Throws
 * NotFound, ValidationFailed, Conflict when it has begun: then only its end can change, to a time
 * to come.
 */
export async function moveDate(actor: Actor, id: number, date: string, to: Interval | null): Promise<void> {
  await changeDate(actor, id, date, {
    act: to === null ? 'date_skipped' : 'date_moved',
    times: () => to,
    write: (c, times) =>
      c.query(
        `insert into maintenance_exceptions (window_id, date, starts_at, ends_at, created_at) values ($1, $2, $3, $4, $5)
         on conflict (window_id, date) do update set starts_at = $3, ends_at = $4`,
        [id, date, times && new Date(times.start), times && new Date(times.end), c.now],
      ),
  })
}

/**
 * Takes a skipped or moved occurrence back to where the series has it. Throws as `moveDate` does.
 */
export async function restoreDate(actor: Actor, id: number, date: string): Promise<void> {
  await changeDate(actor, id, date, {
    act: 'date_restored',
    times: ({ start, end }) => ({ start, end }),
    write: (c) =>
      c.query('delete from maintenance_exceptions where window_id = $1 and date = $2', [id, date]),
  })
}

/** Notes when the last occurrence ends, after a change of the series or its exceptions. */
export async function keepOverAt(c: Change, id: number, given?: string): Promise<void> {
  const zone = given ?? (await clockOf(c)).zone
  const window = (await MaintenanceWindow.query(c.trx).findById(id))!
  const over = overAt(timesOf({ ...window, exceptions: await exceptionsOf(c.query, id) }), zone)
  await c.query('update maintenance_windows set over_at = $2 where id = $1', [id, over && new Date(over)])
}

type DateChange = {
  act: 'date_skipped' | 'date_moved' | 'date_restored'
  times: (planned: PlannedDate) => Interval | null
  write: (c: Change, times: Interval | null) => Promise<unknown>
}

async function changeDate(actor: Actor, id: number, date: string, { act, times, write }: DateChange) {
  await change(actor, async (c) => {
    const row = orNotFound(await MaintenanceWindow.query(c.trx).findById(id).forUpdate())
    if (row.recurrence === 'none') throw new Conflict('window_does_not_repeat')
    const { zone, now } = await clockOf(c)
    const window = timesOf({ ...row, exceptions: await exceptionsOf(c.query, id) })
    const planned = plannedOn(window, zone, date)
    if (!planned) throw new ValidationFailed({ date: ['window_date_unknown'] })
    const [before, after] = [timesOn(window, planned), times(planned)]
    const changes = changesBetween(asFields(before), asFields(after))
    if (Object.keys(changes).length === 0) return c.noop()
    if (after) requireLength(after, row, zone)
    requireUnbegun(before, after, act, now)
    const tell = await watchDate(c, id)
    await write(c, after)
    await keepOverAt(c, id)
    const named = dateText(planned.date)
    await tell(named, before, after)
    c.audit(`maintenance_window.${act}`, id, { date: { before: named, after: named }, ...changes })
    c.recheckStatus(row.assetId)
  })
}

function requireLength({ start, end }: Interval, { recurrence }: MaintenanceWindow, zone: string): void {
  const problem = windowProblem({ startsAt: start, endsAt: end, recurrence }, zone)
  if (problem) throw new ValidationFailed({ endsAt: [problem] })
}

function requireUnbegun(before: Interval | null, after: Interval | null, act: string, now: number): void {
  const listed = (times: Interval | null) => (times ? [times] : [])
  if (samePast(listed(before), listed(after), now)) return
  const isBegun = before !== null && before.start <= now
  if (isBegun || act === 'date_restored') throw new Conflict('occurrence_begun')
  throw new ValidationFailed({ startsAt: ['moved_into_past'] })
}

const asFields = (times: Interval | null) => ({
  startsAt: times && new Date(times.start).toISOString(),
  endsAt: times && new Date(times.end).toISOString(),
})
