create or replace function is_past_target(
    created_at timestamptz,
    severity text,
    hours float8[],
    at timestamptz
  ) returns boolean
  language sql stable parallel safe
  return created_at < at - make_interval(secs => 3600 * case severity
    when 'low' then hours[1]
    when 'medium' then hours[2]
    when 'high' then hours[3]
    when 'critical' then hours[4]
  end);

comment on function is_past_target is
  'Whether the target of an incident''s severity has passed (spec §8). The hours are those of the targets, the mildest severity first.';
