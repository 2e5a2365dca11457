create or replace function is_waiting(incident incidents) returns boolean
  language sql immutable parallel safe
  return incident.status = 'open' and incident.acknowledged_at is null and incident.merged_into_id is null;

comment on function is_waiting is
  'Whether its status is open, it is no duplicate, and the office has never acknowledged it: what the sweep and the digest count (spec §8).';
