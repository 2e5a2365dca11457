create or replace function incident_impact(
    asset_id integer,
    resolved_at timestamptz,
    merged_into_id integer,
    is_downtime boolean,
    severity text
  ) returns text
  language sql immutable parallel safe
  return case
    when asset_id is null or resolved_at is not null or merged_into_id is not null then null
    when is_downtime then 'down'
    when severity <> 'low' then 'degraded'
  end;

comment on function incident_impact is
  'What an incident with these fields does to its asset now: down, degraded, or null for nothing.';
