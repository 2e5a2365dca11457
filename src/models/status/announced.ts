import type { Query } from '../../database.js'
import { occurrences, type RecurringWindow } from '../../domain/maintenance/recurrence.js'
import type { AssetStatus } from '../../domain/status/assetStatus.js'
import {
  type Seen,
  seenSince,
  statusAt,
  type Transition,
  transitions,
} from '../../domain/status/transitions.js'
import { DAY } from '../../domain/time/durations.js'
import { endsAfterSql, windowTimesSql } from '../maintenance/windowTimes.js'
import { epochMs } from '../system/instants.js'
import { type AssetImpact, impactsSinceAnnounced } from './impacts.js'

/** An asset in use, the status last told of it and at which moment, and what made its status since (epoch ms). */
export type Announced = {
  id: number
  name: string
  category: string
  status: AssetStatus
  at: number
  /** The later of now and `at`: after a clock that went back, nothing is said twice. */
  until: number
  impacts: AssetImpact[]
  maintenance: Seen[]
}

type AssetRow = Omit<Announced, 'impacts' | 'maintenance'> & { zone: string }
type WindowRow = RecurringWindow & { assetId: number; knownSince: number }

/** Days that windows are looked through at most; what changed before is announced with the write that came last. */
const lookedBack = 366

/** These assets, or all (null), with everything since their last announcement; archived ones are left out. */
export async function announcedAssets(query: Query, ids: readonly number[] | null): Promise<Announced[]> {
  const assets = await query<AssetRow>(assetsSql, [ids])
  const impacts = await impactsSinceAnnounced(query, ids)
  const windows = await query<WindowRow>(windowsSql, [ids])
  return assets.map(({ zone, ...asset }) => ({
    ...asset,
    impacts: impacts.filter(({ assetId }) => assetId === asset.id),
    maintenance: windows
      .filter(({ assetId }) => assetId === asset.id)
      .flatMap((window) => workOf(window, zone, asset)),
  }))
}

function workOf(window: WindowRow, zone: string, { at, until }: Pick<Announced, 'at' | 'until'>): Seen[] {
  const from = Math.max(at, until - lookedBack * DAY)
  return occurrences(window, zone, from, until + 1).map((work) =>
    seenSince({ ...work, status: 'maintenance' as const }, window.knownSince),
  )
}

/** Whether there may be something to announce; `unannounced` then says what. */
export function mayHaveChanged({ status, at, until, impacts, maintenance }: Announced): boolean {
  const seen = [...impacts.map(asSeen), ...maintenance]
  return statusAt(seen, at) !== status || transitions(status, seen, at, until).length > 0
}

/**
 * What is to be announced of an asset, oldest first, each at its own moment: the write's time, or the instant at
 * which maintenance began or ended (decision 3.5). To be read while the asset's row is locked.
 */
export async function unannounced(query: Query, asset: Announced): Promise<Transition[]> {
  const { id, status, at, until, maintenance } = asset
  const seen = [...(await seenImpacts(query, asset)), ...maintenance]
  if (statusAt(seen, at) === status) return transitions(status, seen, at, until)
  // The past was corrected, or a write of before was committed late: what is true since the last write counts.
  const [write] = await query<{ at: number }>(lastWriteSql, [id, at / 1000])
  const since = Math.max(write?.at ?? until, at + 1)
  const then = { at: since, status: statusAt(seen, since) }
  const later = transitions(then.status, seen, since, Math.max(until, since))
  return then.status === status ? later : [then, ...later]
}

const asSeen = ({ start, end, impact }: AssetImpact): Seen => ({ start, end, status: impact })

/** A correction says of earlier times what nobody saw then: such a start or end is taken from its write on. */
async function seenImpacts(query: Query, { at, impacts }: Announced): Promise<Seen[]> {
  const recent = impacts.filter(({ start, end }) => start > at || end < Infinity)
  if (recent.length === 0) return impacts.map(asSeen)
  const writes = await query<{ id: number; at: number }>(writesSql, [
    recent.map(({ incidentId }) => incidentId),
    at / 1000,
  ])
  return impacts.map((impact) => {
    const own = writes.filter(({ id }) => id === impact.incidentId).map((write) => write.at)
    const known = (boundary: number) =>
      own.includes(boundary) ? boundary : Math.max(boundary, ...own.filter((time) => time > boundary))
    const { start, end } = impact
    return asSeen({
      ...impact,
      start: start > at ? known(start) : start,
      end: end < Infinity ? known(end) : end,
    })
  })
}

const assetsSql = `
  select a.id, a.name, a.category, a.announced_status as status, ${epochMs('a.announced_at')} as at,
    ${epochMs('greatest(clock_timestamp(), a.announced_at)')} as until, p.timezone as zone
  from assets a, properties p
  where a.archived_at is null and ($1::integer[] is null or a.id = any ($1))
  order by a.id`

const windowsSql = `
  select w.asset_id as "assetId", ${epochMs('w.known_since')} as "knownSince", ${windowTimesSql('w', 'a.announced_at')}
  from maintenance_windows w join assets a on a.id = w.asset_id
  where a.archived_at is null and ${endsAfterSql('w', 'a.announced_at')} and ($1::integer[] is null or a.id = any ($1))`

const writesSql = `
  select entity_id as id, ${epochMs('at')} as at from audit_entries
  where entity = 'incident' and entity_id = any ($1) and affects_status and at > to_timestamp($2)`

/** The last write of a week that concerns an asset: transactions begun a minute before may be committed later. */
const lastWriteSql = `
  select ${epochMs('e.at')} as at from audit_entries e
  where e.affects_status and e.at > greatest(to_timestamp($2) - interval '1 minute', now() - interval '7 days') and (
    e.entity = 'property' or (e.entity = 'asset' and e.entity_id = $1)
    or e.changes -> 'assetId' ->> 'before' = $1::text or e.changes -> 'assetId' ->> 'after' = $1::text
    or (e.entity = 'incident' and exists (select from incidents i where i.id = e.entity_id and i.asset_id = $1))
    or (e.entity = 'maintenance_window'
      and exists (select from maintenance_windows w where w.id = e.entity_id and w.asset_id = $1)))
  order by e.id desc limit 1`
