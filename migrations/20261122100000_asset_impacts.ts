import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** What incidents did to their assets, kept as it happens, and when a downtime ended (decision 2.8). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists asset_impacts (
      incident_id integer not null references incidents on delete restrict,
      asset_id integer not null references assets on delete restrict,
      impact text not null check (impact in ('down', 'degraded')),
      started_at timestamptz not null,
      ended_at timestamptz,
      primary key (incident_id, started_at),
      constraint asset_impacts_order check (ended_at > started_at)
    );
    comment on table asset_impacts is 'Those of one incident never overlap; ended_at is null while one runs.';
    alter table incidents
      add column if not exists downtime_ended_at timestamptz,
      drop constraint if exists incidents_downtime_ended,
      add constraint incidents_downtime_ended check (
        downtime_ended_at is null
        or (is_downtime and resolved_at is not null and downtime_ended_at > coalesce(downtime_started_at, created_at))
      ) not valid;
    comment on column incidents.downtime_ended_at is 'End of the downtime; resolved_at when null.';
  `)
  await knex.raw('alter table incidents validate constraint incidents_downtime_ended')
  // Together: the index says that the table was filled, if this is run again after a kill.
  const { rows } = await knex.raw(`select where to_regclass('public.asset_impacts_running') is null`)
  if (rows.length > 0)
    await knex.raw(`
      ${fillImpacts};
      create unique index asset_impacts_running on asset_impacts (incident_id) where ended_at is null;
      create index asset_impacts_of_asset on asset_impacts (asset_id, ended_at);
      create index asset_impacts_history on asset_impacts (ended_at);
      comment on index asset_impacts_history is 'Status view: cost follows the days shown, not all history.';
    `)
  await concurrentIndex(knex, {
    name: 'incidents_unresolved',
    on: 'incidents (asset_id) where resolved_at is null and asset_id is not null and merged_into_id is null',
  })
  await knex.raw(`comment on index incidents_unresolved is 'What the status view names.'`)
  await knex.raw('drop index concurrently if exists incidents_history')
}

/**
 * SQL: what each incident on an asset did so far by its present fields, a duplicate until its merge; without the time
 * between a resolution and a reopening, unless a resident said within 72 hours that nothing was fixed.
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index incidents_unresolved;
    create index incidents_history on incidents (resolved_at) where asset_id is not null and merged_into_id is null;
    comment on index incidents_history is 'Uptime and day history: cost follows the last 90 days, not all history.';
    alter table incidents drop constraint incidents_downtime_ended, drop column downtime_ended_at;
    drop table asset_impacts;
  `)
}
