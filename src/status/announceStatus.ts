import { type Change, change } from '../platform/db/change.js'
import { type Query, query } from '../platform/db/database.js'
import type { AssetStatus } from '../vocabulary/assetStatus.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { DAY } from '../vocabulary/time/calendar.js'
import { occurrences } from '../vocabulary/time/recurrence.js'
import { impactsSinceAnnounced } from './impacts/readImpacts.js'
import type { PlannedWindow } from './queries/plannedWindows.js'
import { type StatusSpan, type Transition, transitionsSince } from './rules/derivedStatus.js'

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

/** The row lock decides which process announces; what happened is read after it. */
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
  const announced = { announcedStatus: last.status, announcedAt: new Date(last.at) }
  await c.trx('assets').where({ id }).update(announced)
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

/** An asset in use, its last announced status, and what has made its status since (epoch ms). */
type AnnouncedAsset = {
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

/** Days of maintenance windows that are read at most. */
const daysOfWindows = 366

/** These assets in use, or all (null), with everything since their last announcement. */
export async function announcedAssets(
  query: Query,
  ids: readonly number[] | null,
): Promise<AnnouncedAsset[]> {
  const assets = await query<AssetRow>(assetsSql, [ids])
  const impacts = await impactsSinceAnnounced(query, ids)
  const windows = await query<PlannedWindow>(windowsSinceAnnounced, [ids])
  return assets.map(({ zone, ...asset }) => {
    const { id, at, until } = asset
    const from = Math.max(at, until - daysOfWindows * DAY)
    const maintenance = windows
      .filter(({ assetId }) => assetId === id)
      .flatMap((window) => occurrences(window, zone, from, until + 1))
      .map((times) => ({ ...times, status: 'maintenance' as const }))
    const harm = impacts
      .filter(({ assetId }) => assetId === id)
      .map(({ start, end, impact }) => ({ start, end, status: impact }))
    return { ...asset, spans: [...harm, ...maintenance] }
  })
}

const assetsSql = `
  select a.id, a.name, a.category, a.announced_status as status, epoch_ms(a.announced_at) as at,
    epoch_ms(greatest(clock_timestamp(), a.announced_at)) as until, p.timezone as zone
  from assets a, properties p
  where a.archived_at is null and ($1::integer[] is null or a.id = any ($1))
  order by a.id`

/** The work planned on each asset since its last announcement. */
const windowsSinceAnnounced = `
  select w.id, w.asset_id, w.title, w.starts_at, w.ends_at, w.recurrence, w.until, w.exceptions
  from assets a
  cross join lateral window_dates(a.announced_at) w
  where w.asset_id = a.id and a.archived_at is null and ($1::integer[] is null or a.id = any ($1))
  order by w.starts_at, w.id`
