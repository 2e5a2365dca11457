create or replace function is_open(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.status = 'open' and incident.merged_into_id is null;

comment on function is_open is
  'Whether it is open and no duplicate: what the office has not taken up, or takes up again.';
