import { query } from '../../src/platform/db/database.js'

/**
 * Gives every asset of the building an outage of two hours in March of the year before the last
 * one, which the demo's own history does not reach; repaired and confirmed. Returns that year.
 */
export async function pastYear(): Promise<number> {
  const [frame] = await query<{ year: number }>(
    `select extract(year from now() at time zone timezone)::integer - 2 as year from properties`,
  )
  const year = frame!.year
  await query(
    `with reported as (
       insert into incidents (id, title, severity, status, source, asset_id, created_at, acknowledged_at,
         resolved_at, verified_at)
       select -a.id, 'Stuck long ago', 'critical', 'verified', 'email', a.id, begun, begun + interval '1 hour',
         begun + interval '2 hours', begun + interval '2 hours'
       from assets a, properties p, lateral (select make_timestamptz($1, 3, 3, 10, 0, 0, p.timezone) as begun) d
       returning id, asset_id, created_at, resolved_at
     ), did as (
       insert into asset_impacts (incident_id, asset_id, impact, started_at, ended_at)
       select id, asset_id, 'down', created_at, resolved_at from reported
     ), paid as (
       insert into repair_costs (incident_id, amount_cents, incurred_on, created_by)
       select r.id, 12345600, make_date($1, 3, 4), u.id from reported r, users u where u.email = 'manager@example.com'
     )
     insert into incident_updates (incident_id, author_id, body, new_status, via)
     select r.id, u.id, '', 'verified', 'web' from reported r, users u where u.email = 'resident@example.com'`,
    [year],
  )
  return year
}
