create or replace function utc_text(instant timestamptz) returns text
  language sql stable parallel safe
  return to_char(instant at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"');

comment on function utc_text is 'An instant as PostgreSQL prints it in UTC, always with microseconds.';
