import type { Query } from '../../platform/db/database.js'
import { type AssetStatus, liveStatus } from '../../vocabulary/assetStatus.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import { assetImpacts } from '../impacts/readImpacts.js'
import { plannedWindows } from './plannedWindows.js'

type AnnouncedRow = { id: number; announced: AssetStatus; now: number; zone: string }

/**
 * Each asset in use with its live status, with the change's own writes, and the last announced one.
 */
export async function liveAssets(query: Query) {
  const assets = await query<AnnouncedRow>(
    `select a.id, a.announced_status as announced, epoch_ms(clock_timestamp()) as now, p.timezone as zone
     from assets a, properties p where a.archived_at is null order by a.id`,
  )
  const running = await assetImpacts(query, 0)
  const windows = await plannedWindows(query, { since: { daysAgo: 0 } })
  return assets.map(({ id, announced, now, zone }) => {
    const isOwn = ({ assetId }: { assetId: number }) => assetId === id
    const planned = windows.filter(isOwn)
    const inMaintenance = planned.some((window) => occurrences(window, zone, now, now + 1).length > 0)
    return { id, announced, status: liveStatus(running.filter(isOwn), inMaintenance) }
  })
}
