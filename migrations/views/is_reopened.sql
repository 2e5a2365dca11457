create or replace function is_reopened(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.reopened_at is not null
    and incident.merged_into_id is null
    and incident.status <> 'open'
    and not is_placeless(incident);

comment on function is_reopened is
  'Whether a resident said that it is not fixed, and the office has not reacted: what the desk lists as reopened.';
