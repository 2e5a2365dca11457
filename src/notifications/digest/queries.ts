import type { Query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import { assetImpacts, expectedBackSql } from '../../status/queries/impacts.js'
import { countedSql, placeJoins, publicPlaceNameSql, waitingSql } from '../../status/queries/incidentFacts.js'
import { passed } from '../../status/queries/inHand.js'
import { liveAssets } from '../../status/queries/liveStatus.js'
import { endsAfterSql, windowTimesSql } from '../../status/queries/windowTimes.js'
import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import type { Severity } from '../../vocabulary/severity.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import type { RecurringWindow } from '../../vocabulary/time/recurrence.js'
import type { Digest, TwoWeeks } from './rules.js'

/** The rows a digest is made from, of one snapshot; times in epoch ms. */
export type DigestRows = {
  now: number
  zone: string
  /** `back`: when the last of what keeps it out of service is expected to be over. */
  assets: { id: number; name: string; towerName: string; status: AssetStatus; back: Date | null }[]
  downtime: (Interval & { assetId: number })[]
  windows: (RecurringWindow & { assetId: number; title: string })[]
  counts: { created: TwoWeeks; resolved: TwoWeeks; verified: TwoWeeks }
  unacknowledged: { id: number; title: string; severity: Severity; createdAt: Date; where: string }[]
  unacknowledgedTotal: number
  passed: NonNullable<Digest['passed']>
}

/** Passed promises are counted up to this. */
const countedUpTo = 10_000
/** Two weeks, and a day for clock changes. */
const daysRead = 15

/**
 * Reads the rows, without merged duplicates (decision 2.5). Cost follows two weeks of incidents,
 * not all history.
 */
export async function digestRows(query: Query, oldest: number): Promise<DigestRows> {
  const live = await liveAssets(query, null)
  const [[frame], assets, spans, windows, [counted], unacknowledged, [waiting]] = await Promise.all([
    query<{ now: number; zone: string }>(
      `select ${epochMs('now()')} as now, timezone as zone from properties`,
    ),
    query<Omit<DigestRows['assets'][number], 'status'>>(assetsSql),
    assetImpacts(query, daysRead),
    query<DigestRows['windows'][number]>(windowsSql),
    query<Record<string, number>>(countsSql),
    query<DigestRows['unacknowledged'][number]>(unacknowledgedSql, [oldest]),
    query<{ total: number }>(`select count(*)::integer as total from incidents i where ${waitingSql('i')}`),
  ])
  const weeks = (name: string): TwoWeeks => ({
    thisWeek: counted![`${name}Now`]!,
    weekBefore: counted![`${name}Before`]!,
  })
  const statusOf = (asset: number) => live.find(({ id }) => id === asset)?.status ?? 'operational'
  return {
    ...frame!,
    assets: assets.map((asset) => ({ ...asset, status: statusOf(asset.id) })),
    downtime: spans.filter(({ impact }) => impact === 'down'),
    windows,
    counts: { created: weeks('created'), resolved: weeks('resolved'), verified: weeks('verified') },
    unacknowledged,
    unacknowledgedTotal: waiting!.total,
    passed: await passed(countedUpTo, oldest, query),
  }
}

const assetsSql = `
  select a.id, a.name, t.name as "towerName", ${expectedBackSql('a')} as back
  from assets a join towers t on t.id = a.tower_id
  where a.archived_at is null order by t.sort_order, t.id, a.sort_order, a.id`

const windowsSince = `now() - interval '${daysRead} days'`

const windowsSql = `
  select w.asset_id as "assetId", w.title, ${windowTimesSql('w', windowsSince)}
  from maintenance_windows w join assets a on a.id = w.asset_id
  where a.archived_at is null and ${endsAfterSql('w', windowsSince)}`

/** Each count reads a range of one index, never old incidents. */
const countsSql = `
  select
    count(*) filter (where created_at > now() - interval '7 days')::integer as "createdNow",
    count(*) filter (where created_at between now() - interval '14 days' and now() - interval '7 days')::integer as "createdBefore",
    count(*) filter (where resolved_at > now() - interval '7 days')::integer as "resolvedNow",
    count(*) filter (where resolved_at between now() - interval '14 days' and now() - interval '7 days')::integer as "resolvedBefore",
    count(*) filter (where verified_at > now() - interval '7 days')::integer as "verifiedNow",
    count(*) filter (where verified_at between now() - interval '14 days' and now() - interval '7 days')::integer as "verifiedBefore"
  from incidents i
  where ${countedSql('i')}
    and (created_at > now() - interval '14 days' or resolved_at > now() - interval '14 days' or verified_at > now() - interval '14 days')`

const unacknowledgedSql = `
  select i.id, i.title, i.severity, i.created_at as "createdAt",
    coalesce(${publicPlaceNameSql}, '') as "where"
  from incidents i ${placeJoins('i')}
  where ${waitingSql('i')}
  order by i.created_at, i.id limit $1`
