create or replace function ends_after(work maintenance_windows, since timestamptz) returns boolean
  language sql stable parallel safe
  return (case work.recurrence when 'none' then work.ends_at else work.over_at end > since) is not false;

comment on function ends_after is 'Whether planned work has an occurrence that ends after an instant. over_at is null for work that repeats without end, which counts as ending later.';
