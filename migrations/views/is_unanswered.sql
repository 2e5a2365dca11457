create or replace function is_unanswered(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.unanswered_since is not null
    and incident.reopened_at is null
    and incident.merged_into_id is null
    and incident.status <> 'open'
    and not is_placeless(incident);

comment on function is_unanswered is
  'Whether the office has not reacted to words of a resident on it: what the desk lists as replies.';
