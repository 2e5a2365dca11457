import { inSnapshot } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import type { Recurrence, RecurringWindow } from '../../vocabulary/time/recurrence.js'
import { endsAfterSql, windowTimesSql } from './windowTimes.js'

/** Days a date stays in the calendar after its end, and a deleted window after its deletion. */
export const shownFor = { date: 7, deleted: 30 }
/** Windows in one calendar, and deleted ones. */
const most = { windows: 1_000, deleted: 100 }

/**
 * A window with its asset, how often it was changed and when last (epoch ms). `deletedAt`: null
 * while it stands; of a deleted one the exceptions are gone.
 */
export type CalendarWindow = RecurringWindow & {
  id: number
  title: string
  assetId: number
  assetName: string
  towerName: string
  changes: number
  changedAt: number
  deletedAt: number | null
}

/** The windows of assets in use, or of one asset, that are not long over or were deleted lately. */
export async function calendarWindows(
  assetId: number | null,
): Promise<{ now: number; zone: string; windows: CalendarWindow[] }> {
  return inSnapshot(async (query) => {
    const [frame] = await query<{ now: number; zone: string }>(
      `select ${epochMs('now()')} as now, timezone as zone from properties`,
    )
    const [standing, deleted] = await Promise.all([
      query<CalendarWindow>(standingSql, [assetId]),
      query<Deleted>(deletedSql, [assetId]),
    ])
    return { ...frame!, windows: [...standing, ...deleted.map(asWindow)] }
  })
}

const since = `now() - interval '${shownFor.date} days'`

const standingSql = `
  select w.id, w.title, a.id as "assetId", a.name as "assetName", t.name as "towerName",
    ${windowTimesSql('w', since)}, greatest(e.changes - 1, 0) as changes,
    ${epochMs('coalesce(e.at, w.known_since)')} as "changedAt", null as "deletedAt"
  from maintenance_windows w join assets a on a.id = w.asset_id join towers t on t.id = a.tower_id,
    lateral (select count(*)::integer as changes, max(at) as at from audit_entries
      where entity = 'maintenance_window' and entity_id = w.id) e
  where a.archived_at is null and ${endsAfterSql('w', since)} and ($1::integer is null or a.id = $1)
  order by w.starts_at desc, w.id desc limit ${most.windows}`

/** What a deleted window was is in the audit entry of its deletion. */
const deletedSql = `
  select d.entity_id as id, a.id as "assetId", a.name as "assetName", t.name as "towerName", d.changes as fields,
    (select count(*)::integer - 1 from audit_entries e
      where e.entity = 'maintenance_window' and e.entity_id = d.entity_id) as changes,
    ${epochMs('d.at')} as "changedAt", ${epochMs('d.at')} as "deletedAt"
  from (select * from audit_entries where action = 'maintenance_window.deleted'
      order by id desc limit ${most.deleted}) d
    join assets a on a.id = (d.changes -> 'assetId' ->> 'before')::integer join towers t on t.id = a.tower_id
  where a.archived_at is null and d.at > now() - interval '${shownFor.deleted} days'
    and ($1::integer is null or a.id = $1)
  order by d.id desc`

type Deleted = Omit<CalendarWindow, keyof RecurringWindow | 'title'> & {
  fields: Record<string, { before: string | null } | undefined>
}

function asWindow({ fields, ...row }: Deleted): CalendarWindow {
  const was = (name: string) => fields[name]?.before ?? null
  return {
    ...row,
    title: was('title') ?? '',
    startsAt: Date.parse(was('startsAt') ?? ''),
    endsAt: Date.parse(was('endsAt') ?? ''),
    recurrence: (was('recurrence') ?? 'none') as Recurrence,
    until: was('until'),
    exceptions: [],
  }
}
