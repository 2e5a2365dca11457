create or replace function is_counted(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.merged_into_id is null and incident.dismissed_at is null;

comment on function is_counted is
  'Whether it is an incident of its own, and a report: what is counted anywhere (decisions 2.5, 7.14).';
