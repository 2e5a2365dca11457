import { inSnapshot } from '../../platform/db/database.js'
import type { Recurrence, RecurringWindow } from '../../vocabulary/time/recurrence.js'

/** Days a date stays in the calendar after its end, and a deleted window after its deletion. */
export const retentionDays = { date: 7, deleted: 30 }

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
      'select epoch_ms(now()) as now, timezone as zone from properties',
    )
    const [standing, deleted] = await Promise.all([
      query<CalendarWindow>(standingSql, [assetId, retentionDays.date]),
      query<Deleted>(deletedSql, [assetId, retentionDays.deleted]),
    ])
    return { ...frame!, windows: [...standing, ...deleted.map(asWindow)] }
  })
}

const standingSql = `
  select w.id, w.title, w.asset_id, w.asset_name, w.tower_name, w.starts_at, w.ends_at, w.recurrence, w.until,
    w.exceptions, greatest(e.changes - 1, 0) as changes, epoch_ms(coalesce(e.at, w.known_since)) as changed_at,
    null as deleted_at
  from window_dates(now() - make_interval(days => $2)) w
  cross join lateral (
    select count(*)::integer as changes, max(at) as at
    from audit_entries
    where entity = 'maintenance_window' and entity_id = w.id
  ) e
  where w.is_in_use and ($1::integer is null or w.asset_id = $1)
  order by w.starts_at desc, w.id desc limit 1000`

/**
 * What a deleted window was is in the audit entry of its deletion, of its last one where that of
 * before was undone. What stands again is no deleted window.
 */
const deletedSql = `
  select d.entity_id as id, a.id as asset_id, a.name as asset_name, t.name as tower_name, d.changes as fields,
    (
      select count(*)::integer - 1 from audit_entries e
      where e.entity = 'maintenance_window' and e.entity_id = d.entity_id
    ) as changes,
    epoch_ms(d.at) as changed_at, epoch_ms(d.at) as deleted_at
  from (
    select distinct on (entity_id) *
    from (
      select * from audit_entries where action = 'maintenance_window.deleted' order by id desc limit 100
    ) deletions
    order by entity_id, id desc
  ) d
  join assets a on a.id = (d.changes -> 'assetId' ->> 'before')::integer
  join towers t on t.id = a.tower_id
  where a.archived_at is null and d.at > now() - make_interval(days => $2)
    and ($1::integer is null or a.id = $1)
    and not exists (select from maintenance_windows w where w.id = d.entity_id)
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
