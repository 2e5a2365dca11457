import type { Query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import { DAY } from '../../vocabulary/time/calendar.js'
import { occurrences, type RecurringWindow } from '../../vocabulary/time/recurrence.js'
import type { StatusSpan } from '../rules/standing.js'
import { impactsSinceAnnounced } from './impacts.js'
import { endsAfterSql, windowTimesSql } from './windowTimes.js'

/**
 * An asset in use, its last announced status and the moment of it, and what has made its status
 * since (epoch ms).
 */
export type AnnouncedAsset = {
  id: number
  name: string
  category: string
  status: AssetStatus
  at: number
  /** The later of now and `at`: after a clock that went back, nothing is announced twice. */
  until: number
  spans: StatusSpan[]
}

type AssetRow = Omit<AnnouncedAsset, 'spans'> & { zone: string }
type WindowRow = RecurringWindow & { assetId: number }

/** Days of maintenance windows that are read at most. */
const daysOfWindows = 366

/**
 * These assets, or all (null), with everything since their last announcement; archived ones are
 * left out.
 */
export async function announcedAssets(
  query: Query,
  ids: readonly number[] | null,
): Promise<AnnouncedAsset[]> {
  const assets = await query<AssetRow>(assetsSql, [ids])
  const impacts = await impactsSinceAnnounced(query, ids)
  const windows = await query<WindowRow>(windowsSql, [ids])
  return assets.map(({ zone, ...asset }) => ({
    ...asset,
    spans: [
      ...impacts
        .filter(({ assetId }) => assetId === asset.id)
        .map(({ start, end, impact }) => ({ start, end, status: impact })),
      ...windows
        .filter(({ assetId }) => assetId === asset.id)
        .flatMap((window) => maintenanceOf(window, zone, asset)),
    ],
  }))
}

function maintenanceOf(
  window: RecurringWindow,
  zone: string,
  { at, until }: Pick<AnnouncedAsset, 'at' | 'until'>,
): StatusSpan[] {
  const from = Math.max(at, until - daysOfWindows * DAY)
  return occurrences(window, zone, from, until + 1).map(({ start, end }) => ({
    start,
    end,
    status: 'maintenance',
  }))
}

const assetsSql = `
  select a.id, a.name, a.category, a.announced_status as status, ${epochMs('a.announced_at')} as at,
    ${epochMs('greatest(clock_timestamp(), a.announced_at)')} as until, p.timezone as zone
  from assets a, properties p
  where a.archived_at is null and ($1::integer[] is null or a.id = any ($1))
  order by a.id`

const windowsSql = `
  select w.asset_id as "assetId", ${windowTimesSql('w', 'a.announced_at')}
  from maintenance_windows w join assets a on a.id = w.asset_id
  where a.archived_at is null and ${endsAfterSql('w', 'a.announced_at')} and ($1::integer[] is null or a.id = any ($1))`
