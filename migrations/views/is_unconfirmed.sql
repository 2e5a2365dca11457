create or replace function is_unconfirmed(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.status = 'resolved'
    and incident.merged_into_id is null
    and incident.reopened_at is null
    and incident.unanswered_since is null;

comment on function is_unconfirmed is
  'Whether it is marked as fixed, no one has confirmed that, and no reply and no "not fixed" waits for the office.';
