import type { Change } from '../platform/db/change.js'
import type { Query } from '../platform/db/database.js'
import { rowOf } from '../platform/db/row.js'
import type { ColumnsOf } from '../platform/http/records/entityTypes.js'
import { overAt, type WindowException } from '../vocabulary/time/recurrence.js'
import { type ListedWindow, timesOf, type windowEntity } from './windowEntity.js'

/** A row of `maintenance_windows`: planned work on an asset (spec §2). */
export class MaintenanceWindow extends rowOf<ColumnsOf<typeof windowEntity>>() {
  static override tableName = 'maintenance_windows'
}

/** The fields of a window that say when its dates are. */
export type Times = Pick<ListedWindow, 'startsAt' | 'endsAt' | 'recurrence' | 'until'>

/** The skipped and moved dates of a window, by date. */
export async function exceptionsOf(read: Query, id: number): Promise<WindowException[]> {
  return read(
    `select date, epoch_ms(starts_at) as starts_at, epoch_ms(ends_at) as ends_at
     from maintenance_exceptions where window_id = $1 order by date`,
    [id],
  )
}

/** The property's zone and the clock now, not when the transaction began: it may have waited. */
export async function clockOf(c: Change): Promise<{ zone: string; now: number }> {
  const [clock] = await c.query<{ zone: string; now: Date }>(
    'select timezone as zone, clock_timestamp() as now from properties',
  )
  return { zone: clock!.zone, now: clock!.now.getTime() }
}

/** Stores when the last occurrence ends, after a change of series, exceptions or zone. */
export async function storeOverAt(c: Change, id: number, zone: string): Promise<void> {
  const window = (await MaintenanceWindow.query(c.trx).findById(id))!
  const exceptions = await exceptionsOf(c.query, id)
  const over = overAt(timesOf({ ...window, exceptions }), zone)
  await c
    .trx('maintenance_windows')
    .where({ id })
    .update({ overAt: asDate(over) })
}

export const asDate = (instant: number | null) => (instant === null ? null : new Date(instant))
