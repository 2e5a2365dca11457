import type { Change } from '../../platform/db/change.js'
import type { Query } from '../../platform/db/database.js'
import type { PlacedSpan } from '../rules/correctedImpacts.js'

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
export async function updateRunningImpacts(
  query: Query,
  incidentIds: readonly number[],
  now: Date,
): Promise<void> {
  await query(updateRunningSql, [incidentIds, now])
}

/** Counting the rows ended and dropped forces both before the insert: only one may run. */
const updateRunningSql = `
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
