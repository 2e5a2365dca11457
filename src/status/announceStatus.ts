import { type Change, change } from '../platform/db/change.js'
import { query } from '../platform/db/database.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { type AnnouncedAsset, announcedAssets } from './queries/announced.js'
import { type Transition, transitionsSince } from './rules/standing.js'

/**
 * Announces every change of live status since the last one announced: once, at its own moment, in
 * any number of processes (decision 3.5). `null`: all assets, as windows start without a write.
 * Returns how many assets.
 */
export async function announceStatus(ids: ReadonlySet<number> | null, requestId?: string): Promise<number> {
  const assets = await announcedAssets(query, ids === null ? null : [...ids])
  const actor = announcer(requestId)
  let changed = 0
  for (const asset of assets.filter((each) => changesOf(each).length > 0)) {
    const announced = await change(actor, async (c) => {
      const { announced } = await announceLocked(c, asset.id, actor)
      if (!announced) c.noop()
      return announced
    })
    if (announced) changed++
  }
  return changed
}

/**
 * Before a write that changes what was true before it, of incidents or of planned work: announces
 * what happened until now, for every asset concerned. After the write, at most the difference that
 * it makes is left (decision 3.5).
 */
export async function announceBeforeCorrection(c: Change, assetIds: readonly number[]): Promise<void> {
  // In the order of their ids, so that two corrections do not wait for each other.
  for (const id of [...new Set(assetIds)].sort((a, b) => a - b)) {
    c.recheckStatus(id)
    if (c.actor.past) continue
    const { asset } = await announceLocked(c, id, announcer(c.actor.requestId))
    if (!asset) continue
    const boundaries = asset.spans.flatMap(({ start, end }) => [start, end])
    const known = boundaries.filter((at) => at <= asset.until)
    await c.query('update assets set announced_at = greatest(announced_at, $2) where id = $1', [
      id,
      new Date(Math.max(c.now.getTime() - 1, ...known)),
    ])
  }
}

const announcer = (requestId: string | undefined): Actor => ({
  ...systemActor('scheduler'),
  ...(requestId === undefined ? {} : { requestId }),
})

const changesOf = (asset: AnnouncedAsset): Transition[] => transitionsSince(asset, asset.spans, asset.until)

/**
 * The row lock decides which process announces; what happened is read after it, from everything
 * committed before.
 */
async function announceLocked(
  c: Change,
  id: number,
  actor: Actor,
): Promise<{ asset: AnnouncedAsset | undefined; announced: boolean }> {
  await c.query('select 1 from assets where id = $1 for no key update', [id])
  const [asset] = await announcedAssets(c.query, [id])
  const changes = asset ? changesOf(asset) : []
  const last = changes.at(-1)
  if (!asset || !last) return { asset, announced: false }
  await c.query('update assets set announced_status = $2, announced_at = $3 where id = $1', [
    id,
    last.status,
    new Date(last.at),
  ])
  const { name, category } = asset
  for (const [i, { status, at }] of changes.entries()) {
    const occurredAt = new Date(at)
    const before = changes[i - 1] ?? asset
    const entry = {
      status: { before: before.status, after: status },
      occurredAt: { before: new Date(before.at), after: occurredAt },
    }
    c.audit('asset.status_changed', id, entry, actor)
    c.emit({ event: 'asset.status_changed', asset: { id, name, category, status }, occurredAt }, actor)
  }
  return { asset, announced: true }
}
