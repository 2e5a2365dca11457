create or replace function is_open(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.status = 'open' and incident.merged_into_id is null;

comment on function is_open is
  'Whether its status is open and it is no duplicate. The office may have acknowledged it before and opened it again.';
