import type { Change } from '../change.js'
import { changesBetween } from '../domain/audit/audit.js'
import { occurrences, type RecurringWindow } from '../domain/maintenance/recurrence.js'
import { type AssetStatus, type LiveIncident, liveStatus } from '../domain/status/assetStatus.js'
import { Asset } from '../models/building/building.js'
import { property } from './places.js'

/** Stores each asset's live status as announced, so that the first check sends no news (decision 3.5). */
export async function announceQuietly(c: Change): Promise<void> {
  const incidents = await c.query<LiveIncident & { assetId: number }>(
    `select asset_id as "assetId", is_downtime as "isDowntime", severity from incidents
     where asset_id is not null and resolved_at is null and merged_into_id is null`,
  )
  const windows = await c.query<{
    assetId: number
    startsAt: Date
    endsAt: Date
    recurrence: RecurringWindow['recurrence']
  }>(
    `select asset_id as "assetId", starts_at as "startsAt", ends_at as "endsAt", recurrence from maintenance_windows`,
  )
  for (const asset of await Asset.query(c.trx).orderBy('id')) {
    const own = <T extends { assetId: number }>(rows: T[]) =>
      rows.filter(({ assetId }) => assetId === asset.id)
    await note(
      c,
      asset,
      liveStatus(
        own(incidents),
        own(windows).some((window) => inProgress(window, c.now.getTime())),
      ),
    )
  }
}

function inProgress(
  window: { startsAt: Date; endsAt: Date; recurrence: RecurringWindow['recurrence'] },
  now: number,
): boolean {
  const times = { ...window, startsAt: window.startsAt.getTime(), endsAt: window.endsAt.getTime() }
  return occurrences(times, property.timezone, now, now + 1).length > 0
}

async function note(c: Change, asset: Asset, status: AssetStatus): Promise<void> {
  const { id, announcedStatus } = asset
  if (announcedStatus === status) return
  await Asset.query(c.trx).findById(id).patch({ announcedStatus: status, announcedAt: c.now })
  c.audit('asset.status_changed', id, changesBetween({ announcedStatus }, { announcedStatus: status }))
}
