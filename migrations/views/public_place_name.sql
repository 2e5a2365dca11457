create or replace function public_place_name(asset_name text, unit_name text, tower_name text, unit_visibility text)
  returns text
  language sql immutable parallel safe
  return coalesce(asset_name, case when unit_visibility = 'everybody' then unit_name else tower_name end);

comment on function public_place_name is
  'The name of a place that everyone may read: of a flat that the property hides, its tower (decision 7.13). Null without a place.';
