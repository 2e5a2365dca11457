create or replace function epoch_ms(instant timestamptz) returns float8
  language sql stable parallel safe
  return floor(extract(epoch from instant) * 1000)::float8;

comment on function epoch_ms is 'An instant as whole milliseconds since 1970, as JavaScript counts them.';
