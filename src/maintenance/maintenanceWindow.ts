import { type Query, query, Row } from '../platform/db/database.js'
import { epochMs } from '../platform/db/instants.js'
import type { Listing } from '../platform/db/listing.js'
import { endsAfterSql, exceptionsSql } from '../status/queries/windowTimes.js'
import type { Recurrence, RecurringWindow, WindowException } from '../vocabulary/time/recurrence.js'

/** A row of `maintenance_windows`: planned work on an asset (spec §2). */
export class MaintenanceWindow extends Row {
  static override tableName = 'maintenance_windows'

  declare assetId: number
  declare title: string
  declare startsAt: Date
  declare endsAt: Date
  declare recurrence: Recurrence
  declare until: string | null
  declare notes: string
}

/**
 * A window with its asset's name, and the clock (epoch ms) and time zone for its next occurrence.
 */
export type ListedWindow = {
  id: number
  assetId: number
  assetName: string
  assetArchived: boolean
  title: string
  startsAt: Date
  endsAt: Date
  recurrence: Recurrence
  until: string | null
  exceptions: WindowException[]
  notes: string
  now: number
  zone: string
}

/** The office's list of windows. Filter `state`: `coming` (some of it has not ended) or `over`. */
export const windowListing = {
  columns: `r.id, r.asset_id as "assetId", a.name as "assetName", a.archived_at is not null as "assetArchived",
    r.title, r.starts_at as "startsAt", r.ends_at as "endsAt", r.recurrence, r.until, ${exceptionsSql('r')} as exceptions, r.notes,
    ${epochMs('now()')} as now, (select timezone from properties) as zone`,
  from: 'maintenance_windows r join assets a on a.id = r.asset_id',
  search: `concat_ws(' ', r.title, a.name, r.notes)`,
  sorts: {
    title: { by: 'lower(r.title)', type: 'text' },
    asset: { by: 'lower(a.name)', type: 'text' },
    start: { by: 'r.starts_at', type: 'timestamptz' },
  },
  filters: {
    assetId: 'r.asset_id = $',
    state: `(${endsAfterSql('r', 'now()')}) = ($ = 'coming')`,
  },
} as const satisfies Listing

export async function findWindow(id: number): Promise<ListedWindow | null> {
  const { columns, from } = windowListing
  return (await query<ListedWindow>(`select ${columns} from ${from} where r.id = $1`, [id]))[0] ?? null
}

/** The times of a window in epoch ms, as the domain rules take them. */
export function timesOf({ startsAt, endsAt, recurrence, until, exceptions = [] }: Times): RecurringWindow {
  return {
    startsAt: startsAt.getTime(),
    endsAt: endsAt.getTime(),
    recurrence,
    until: until ?? null,
    exceptions,
  }
}

type Times = Pick<ListedWindow, 'startsAt' | 'endsAt' | 'recurrence'> &
  Partial<Pick<ListedWindow, 'until' | 'exceptions'>>

/** The skipped and moved dates of a window, by date. */
export async function exceptionsOf(read: Query, id: number): Promise<WindowException[]> {
  const [row] = await read<{ exceptions: WindowException[] }>(
    `select ${exceptionsSql('w')} as exceptions from maintenance_windows w where w.id = $1`,
    [id],
  )
  return row?.exceptions ?? []
}

/** Assets in use, plus this window's asset when archived; in display order. */
export async function assetsForWindow(
  windowId: number | null,
): Promise<{ id: number; name: string; towerName: string }[]> {
  return query(
    `select a.id, a.name, t.name as "towerName" from assets a join towers t on t.id = a.tower_id
     where a.archived_at is null or a.id = (select asset_id from maintenance_windows where id = $1)
     order by t.sort_order, t.id, a.sort_order, a.id`,
    [windowId],
  )
}

/** Assets in use or with windows, for the list's filter, in display order. */
export async function assetsWithWindows(): Promise<{ id: number; name: string }[]> {
  return query(
    `select a.id, a.name from assets a join towers t on t.id = a.tower_id
     where a.archived_at is null or exists (select from maintenance_windows w where w.asset_id = a.id)
     order by t.sort_order, t.id, a.sort_order, a.id`,
  )
}
