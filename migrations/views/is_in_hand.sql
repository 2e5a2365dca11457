create or replace function is_in_hand(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.status in ('acknowledged', 'in_progress')
    and incident.merged_into_id is null
    and incident.reopened_at is null
    and incident.unanswered_since is null
    and (incident.asset_id is not null or incident.unit_id is not null);

comment on function is_in_hand is
  'Whether the office has seen it or works on it, it has a place, and no reply and no "not fixed" waits for the office.';
