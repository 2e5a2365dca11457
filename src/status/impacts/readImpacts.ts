import type { Query } from '../../platform/db/database.js'
import type { Impact } from '../../vocabulary/assetStatus.js'
import type { PastChange, PlacedSpan } from '../rules/correctedImpacts.js'

/** What an incident did, oldest first; times in epoch ms. */
export async function impactsOf(query: Query, incidentId: number): Promise<PlacedSpan[]> {
  return query(
    `select asset_id, incident_id, impact, start, "end" from asset_impact_spans
     where incident_id = $1 order by started_at`,
    [incidentId],
  )
}

/** What the audit log says of an incident's earlier fields, newest first. */
export function pastChangesOf(query: Query, incidentId: number): Promise<PastChange[]> {
  return query<PastChange>(
    `select epoch_ms(at) as at, action, changes from audit_entries
     where entity = 'incident' and entity_id = $1 and changes ?| array['severity', 'assetId', 'resolvedAt']
     order by id desc`,
    [incidentId],
  )
}

/** The assets an incident ever did something to, and others it concerns; each once. */
export async function assetsOf(
  query: Query,
  incidentId: number,
  others: readonly (number | null | undefined)[] = [],
): Promise<number[]> {
  const rows = await query<{ id: number }>(
    'select distinct asset_id as id from asset_impacts where incident_id = $1 order by id',
    [incidentId],
  )
  return [...new Set([...others, ...rows.map(({ id }) => id)])].filter((id) => typeof id === 'number')
}

/**
 * What an incident did to an asset; `incidentId` and `title` are of its survivor. Epoch ms, `end`
 * Infinity while it runs.
 */
export type PastImpact = {
  assetId: number
  incidentId: number
  title: string
  impact: Impact
  start: number
  end: number
}

/** An impact of an asset with its incident; times in epoch ms, `end` Infinity while it runs. */
export type AssetImpact = PlacedSpan & { incidentId: number }

/**
 * The one reading of what was and is true of assets (decision 2.8): their impacts of the last
 * `days` × 24 h, or only the running ones (0), of these assets or of all. Cost follows the days,
 * not all history.
 */
export async function assetImpacts(
  query: Query,
  days: number,
  assetIds: readonly number[] | null = null,
): Promise<AssetImpact[]> {
  // One text for each use, because a plan for any days and any assets would read all history; the
  // days are written out, so that the planner knows how much that is.
  if (days === 0 && assetIds === null) return query(runningSql)
  if (days === 0) return query(`${runningSql} and asset_id = any ($1)`, [assetIds])
  const recentSql = `
    select asset_id, incident_id, impact, start, "end" from asset_impact_spans
    where (ended_at is null or ended_at > now() - interval '${days} days')`
  if (assetIds === null) return query(recentSql)
  return query(`${recentSql} and asset_id = any ($1)`, [assetIds])
}

const runningSql =
  'select asset_id, incident_id, impact, start, "end" from asset_impact_spans where ended_at is null'

/** The impacts since their asset's last announcement, of these assets or of all in use (null). */
export async function impactsSinceAnnounced(
  query: Query,
  assetIds: readonly number[] | null,
): Promise<AssetImpact[]> {
  return query(
    `select r.asset_id, r.incident_id, r.impact, r.start, r."end"
     from asset_impact_spans r
     join assets a on a.id = r.asset_id and (r.ended_at is null or r.ended_at > a.announced_at)
     where a.archived_at is null and ($1::integer[] is null or a.id = any ($1))`,
    [assetIds],
  )
}

/** What incidents did between two instants, under the id and title of their survivors. */
export function impactsBetween(query: Query, from: Date, to: Date): Promise<PastImpact[]> {
  return query(
    `select r.asset_id, s.id as incident_id, s.title, r.impact, r.start, r."end"
     from asset_impact_spans r
     join incidents i on i.id = r.incident_id
     join incidents s on s.id = coalesce(i.merged_into_id, i.id)
     where tstzrange(r.started_at, r.ended_at) && tstzrange($1, $2)
     order by r.started_at, r.incident_id`,
    [from, to],
  )
}
