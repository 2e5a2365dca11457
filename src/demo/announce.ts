import type { Change } from '../platform/db/change.js'
import { liveAssets } from '../status/queries/liveStatus.js'
import { changesBetween } from '../vocabulary/audit.js'

/** Stores each asset's live status as announced, so that the first check sends no news (decision 3.5). */
export async function announceQuietly(c: Change): Promise<void> {
  for (const { id, announced, status } of await liveAssets(c.query, null)) {
    await c.query('update assets set announced_status = $2, announced_at = clock_timestamp() where id = $1', [
      id,
      status,
    ])
    if (announced === status) continue
    c.audit(
      'asset.status_changed',
      id,
      changesBetween({ announcedStatus: announced }, { announcedStatus: status }),
    )
  }
}
