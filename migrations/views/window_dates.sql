create or replace function window_dates(since timestamptz)
  returns table (
    id integer,
    asset_id integer,
    title text,
    starts_at float8,
    ends_at float8,
    recurrence text,
    until date,
    exceptions json,
    known_since timestamptz,
    asset_name text,
    tower_name text,
    is_in_use boolean
  )
  language sql stable parallel safe
begin atomic
  select
    w.id,
    w.asset_id,
    w.title,
    epoch_ms(w.starts_at),
    epoch_ms(w.ends_at),
    w.recurrence,
    w.until,
    (
      select coalesce(json_agg(json_build_object(
        'date', x.date,
        'startsAt', epoch_ms(x.starts_at),
        'endsAt', epoch_ms(x.ends_at)
      ) order by x.date), '[]')
      from maintenance_exceptions x
      -- From the date of an occurrence to its end are at most 28 days, one for its start and one
      -- for time zones.
      where x.window_id = w.id and greatest(x.date + interval '30 days', x.ends_at) > window_dates.since
    ),
    w.known_since,
    a.name,
    t.name,
    a.archived_at is null
  from maintenance_windows w
  join assets a on a.id = w.asset_id
  join towers t on t.id = a.tower_id
  where ends_after(w, window_dates.since);
end;

comment on function window_dates is
  'Planned work that ends after an instant, as a rule of dates: times in epoch ms, and as JSON the exceptions that end after it. Earlier exceptions are left out, so that the cost does not grow with the years that work has repeated.';
