create or replace function iso_text(instant timestamptz) returns text
  language sql stable parallel safe
  return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

comment on function iso_text is 'An instant as in JSON: ISO 8601 in UTC, with milliseconds and Z.';
