/**
 * SQL: what each incident on an asset did so far by its present fields, a duplicate until its
 * merge; without the time between a resolution and a reopening, unless a resident said within 72
 * hours that nothing was fixed.
 */
export const fillImpacts = `
  with moves as (
    select incident_id, created_at as at, new_status in ('resolved', 'verified') as closes,
      lag(created_at) over by_incident as was_at,
      lag(new_status in ('resolved', 'verified')) over by_incident as was_closed
    from incident_updates
    where new_status is not null
    window by_incident as (partition by incident_id order by id)
  ), closed as (
    select incident_id, range_agg(tstzrange(was_at, at)) as times
    from moves m
    where was_closed and not closes and was_at < at
      and not (at <= was_at + interval '72 hours' and exists (
        select from audit_entries a
        where a.entity = 'incident' and a.entity_id = m.incident_id and a.action = 'incident.reopened' and a.at = m.at
      ))
    group by incident_id
  ), lives as (
    select i.id, i.asset_id, 'down' as impact,
      tstzrange(coalesce(i.downtime_started_at, i.created_at), i.resolved_at) as life
    from incidents i
    where i.asset_id is not null and i.is_downtime
    union all
    select i.id, i.asset_id, 'degraded', tstzrange(i.created_at, case when i.is_downtime
      then least(greatest(i.downtime_started_at, i.created_at), i.resolved_at) else i.resolved_at end)
    from incidents i
    where i.asset_id is not null and i.severity <> 'low'
  )
  insert into asset_impacts (incident_id, asset_id, impact, started_at, ended_at)
  select l.id, l.asset_id, l.impact, lower(part.time), upper(part.time)
  from lives l
  left join closed c on c.incident_id = l.id
  cross join lateral unnest(tstzmultirange(l.life) - coalesce(c.times, '{}')) as part(time)`
