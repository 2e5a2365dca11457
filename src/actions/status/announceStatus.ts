import { change } from '../../change.js'
import { query } from '../../database.js'
import { type Actor, systemActor } from '../../domain/accounts/actor.js'
import { announcedAssets, mayHaveChanged, unannounced } from '../../models/status/announced.js'

/**
 * Announces every change of live status since the last one announced: once, at its own moment, in any number of
 * processes (decision 3.5). `null`: all assets, as windows begin without a write. Returns how many assets.
 */
export async function announceStatus(ids: ReadonlySet<number> | null, requestId?: string): Promise<number> {
  const assets = await announcedAssets(query, ids === null ? null : [...ids])
  const actor = { ...systemActor('scheduler'), ...(requestId === undefined ? {} : { requestId }) }
  let changed = 0
  for (const { id } of assets.filter(mayHaveChanged)) {
    if (await announce(actor, id)) changed++
  }
  return changed
}

/** The row lock decides which process announces; what happened is read after it, from everything committed before. */
async function announce(actor: Actor, id: number): Promise<boolean> {
  return change(actor, async (c) => {
    await c.query('select 1 from assets where id = $1 for update', [id])
    const [asset] = await announcedAssets(c.query, [id])
    const changes = asset ? await unannounced(c.query, asset) : []
    const last = changes.at(-1)
    if (!asset || !last) {
      c.noop()
      return false
    }
    await c.query('update assets set announced_status = $2, announced_at = $3 where id = $1', [
      id,
      last.status,
      new Date(last.at),
    ])
    const { name, category } = asset
    for (const [i, { status, at }] of changes.entries()) {
      const occurredAt = new Date(at)
      const before = changes[i - 1] ?? asset
      c.audit('asset.status_changed', id, {
        status: { before: before.status, after: status },
        occurredAt: { before: new Date(before.at), after: occurredAt },
      })
      c.emit({ event: 'asset.status_changed', asset: { id, name, category, status }, occurredAt })
    }
    return true
  })
}
