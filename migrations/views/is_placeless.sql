create or replace function is_placeless(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.asset_id is null
    and incident.unit_id is null
    and incident.merged_into_id is null
    and incident.status in ('acknowledged', 'in_progress');

comment on function is_placeless is
  'Whether the office has taken it up and has not said what it is about: the desk sorts it with the new ones.';
