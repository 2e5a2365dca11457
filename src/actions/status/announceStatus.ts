import { change } from '../../change.js'
import { query } from '../../database.js'
import { type Actor, systemActor } from '../../domain/accounts/actor.js'
import { type LiveAsset, liveAssets } from '../../models/status/liveStatus.js'

/**
 * Announces every asset whose live status differs from the last announced: once per change, in any number of processes
 * (decision 3.5). `null`, each minute: all assets, as windows begin without a write. Returns how many.
 */
export async function announceStatus(ids: ReadonlySet<number> | null): Promise<number> {
  const assets = await liveAssets(query, ids === null ? null : [...ids])
  const changed = assets.filter(({ announced, status }) => announced !== status)
  for (const { id } of changed) await announce(systemActor('scheduler'), id)
  return changed.length
}

/** The row lock decides which process announces; the status is derived after it, from everything committed before. */
async function announce(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    await c.query('select 1 from assets where id = $1 for update', [id])
    const [asset] = await liveAssets(c.query, [id])
    if (!asset || asset.announced === asset.status) return c.noop()
    await c.query('update assets set announced_status = $2, announced_at = $3 where id = $1', [
      id,
      asset.status,
      c.now,
    ])
    c.audit('asset.status_changed', id, { status: { before: asset.announced, after: asset.status } })
    c.emit({ event: 'asset.status_changed', asset: fact(asset) })
  })
}

function fact({ id, name, category, status }: LiveAsset) {
  return { id, name, category, status }
}
