import type { Change } from '../../platform/db/change.js'
import type { Query } from '../../platform/db/database.js'
import type { Impact } from '../../vocabulary/assetStatus.js'
import type { PastChange, PlacedSpan } from '../rules/correctedImpacts.js'

/**
 * Locks the assets that these incidents do something to, and `others`, until the commit, and takes
 * the moment of the change after the wait: what is written about one asset has the order of its
 * commits, so that no gap between two writes is announced that no one could see (decision 3.5).
 * After the locks of incidents.
 */
export async function lockAssets(
  c: Change,
  incidentIds: readonly number[],
  others: readonly (number | null | undefined)[] = [],
): Promise<void> {
  if (c.actor.past) return
  const [row] = await c.query<{ at: Date }>(lockSql, [incidentIds, others.filter((id) => id != null)])
  c.moveNowTo(row!.at)
}

const lockSql = `
  with locked as materialized (
    select from assets where id = any ($2) or id in (
      select asset_id from incidents where id = any ($1)
      union select asset_id from asset_impacts where incident_id = any ($1) and ended_at is null
    ) order by id for no key update
  )
  select clock_timestamp() as at from (select count(*) from locked) after_the_wait`

/**
 * Makes the running impact of these incidents what their fields say, from `now` on (decision 2.8):
 * after every change of such a field, in its transaction, which has locked the assets. When the
 * clock went back, the next impact starts at the last known end.
 */
export async function keepImpacts(query: Query, incidentIds: readonly number[], now: Date): Promise<void> {
  await query(keepSql, [incidentIds, now])
}

/** Counting the rows ended and dropped forces both before the insert: only one may run. */
const keepSql = `
  with wanted as (
    select id, asset_id, incident_impact(asset_id, resolved_at, merged_into_id, is_downtime, severity) as impact
    from incidents where id = any ($1)
  ), stale as (
    select r.incident_id, r.started_at
    from asset_impacts r join wanted w on w.id = r.incident_id
    where r.ended_at is null and (w.impact is distinct from r.impact or w.asset_id is distinct from r.asset_id)
  ), dropped as (
    delete from asset_impacts r using stale s
    where r.incident_id = s.incident_id and r.started_at = s.started_at and s.started_at >= $2::timestamptz
    returning 1
  ), ended as (
    update asset_impacts r set ended_at = $2 from stale s
    where r.incident_id = s.incident_id and r.started_at = s.started_at and s.started_at < $2::timestamptz
    returning 1
  )
  insert into asset_impacts (incident_id, asset_id, impact, started_at)
  select w.id, w.asset_id, w.impact,
    greatest($2::timestamptz, (select max(ended_at) from asset_impacts where incident_id = w.id))
  from wanted w, (select count(*) from dropped) as first, (select count(*) from ended) as second
  where w.impact is not null and not exists (
    select from asset_impacts r
    where r.incident_id = w.id and r.ended_at is null and r.impact = w.impact and r.asset_id = w.asset_id
  )`

/** Lets the impact that the resolution at `resolvedAt` ended run on: it was never repaired. */
export async function continueImpact(query: Query, incidentId: number, resolvedAt: Date): Promise<void> {
  await query(
    `update asset_impacts r set ended_at = null
     where r.incident_id = $1 and r.ended_at >= $2
       and r.ended_at = (select max(ended_at) from asset_impacts where incident_id = $1)`,
    [incidentId, resolvedAt],
  )
}

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

/** Replaces all an incident did: for corrections of the past alone (decision 2.8). */
export async function replaceImpacts(
  query: Query,
  incidentId: number,
  spans: readonly PlacedSpan[],
): Promise<void> {
  await query('delete from asset_impacts where incident_id = $1', [incidentId])
  await query(
    `insert into asset_impacts (incident_id, asset_id, impact, started_at, ended_at)
     select $1, * from unnest($2::integer[], $3::text[], $4::timestamptz[], $5::timestamptz[])`,
    [
      incidentId,
      spans.map(({ assetId }) => assetId),
      spans.map(({ impact }) => impact),
      spans.map(({ start }) => new Date(start)),
      spans.map(({ end }) => (end === Infinity ? null : new Date(end))),
    ],
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
