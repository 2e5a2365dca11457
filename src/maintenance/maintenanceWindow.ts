import { type Query, query, rowOf } from '../platform/db/database.js'
import type { ColumnsOf } from '../platform/http/records/entity.js'
import { exceptionsSql } from '../status/queries/windowTimes.js'
import type { WindowException } from '../vocabulary/time/recurrence.js'
import type { windowEntity } from './entity.js'

/** A row of `maintenance_windows`: planned work on an asset (spec §2). */
export class MaintenanceWindow extends rowOf<ColumnsOf<typeof windowEntity>>() {
  static override tableName = 'maintenance_windows'
}

/** The skipped and moved dates of a window, by date. */
export async function exceptionsOf(read: Query, id: number): Promise<WindowException[]> {
  const [row] = await read<{ exceptions: WindowException[] }>(
    `select ${exceptionsSql('w')} as exceptions from maintenance_windows w where w.id = $1`,
    [id],
  )
  return row?.exceptions ?? []
}

/** Assets in use or with windows, for the list's filter, in display order. */
export async function assetsWithWindows(): Promise<{ id: number; name: string }[]> {
  return query(
    `select a.id, a.name from assets a join towers t on t.id = a.tower_id
     where a.archived_at is null or exists (select from maintenance_windows w where w.asset_id = a.id)
     order by t.sort_order, t.id, a.sort_order, a.id`,
  )
}
