import { change } from '../platform/db/change.js'
import { createIn, type Fields, updateIn } from '../platform/http/records/records.js'
import { type AssetStanding, assetStanding, type StandingChange } from '../status/queries/assetStanding.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { MaintenanceWindow } from './maintenanceWindow.js'
import { windowKind } from './maintenanceWindows.js'

/**
 * What a new window (`id` null) or a changed one would do to the status and uptimes of assets, where anything shows: it
 * is stored, read and rolled back. Nothing of a window that is gone. Throws ValidationFailed.
 */
export async function previewWindow(
  actor: Actor,
  id: number | null,
  given: Fields,
): Promise<StandingChange[]> {
  return change(actor, async (c) => {
    c.noop()
    const stored = id === null ? undefined : await MaintenanceWindow.query(c.trx).findById(id)
    if (id !== null && !stored) return []
    const concerned = [stored?.assetId, given.assetId as number | undefined]
    const assetIds = [...new Set(concerned.flatMap((assetId) => assetId ?? []))]
    const before = await assetStanding(c.query, assetIds)
    if (id === null) await createIn(c, windowKind, given)
    else await updateIn(c, windowKind, id, given)
    const after = await assetStanding(c.query, assetIds)
    return before
      .map((standing, i) => ({ before: standing, after: after[i]! }))
      .filter((each) => seen(each.before) !== seen(each.after))
  })
}

const seen = ({ status, uptime30, uptime90 }: AssetStanding) => `${status} ${uptime30} ${uptime90}`
