create or replace function webhook_body(
  event text,
  occurred_at timestamptz,
  property_id integer,
  property_name text,
  asset_id integer,
  fact json
) returns text
  language sql stable parallel safe
  return json_build_object(
    'event', event,
    'occurredAt', iso_text(occurred_at),
    'property', json_build_object('id', property_id, 'name', property_name),
    case when asset_id is null then 'incident' else 'asset' end, fact
  )::text;

comment on function webhook_body is
  'The body of a webhook, made once with its delivery, as text: exactly this text is signed and sent (spec §6 rules 1 to 3). Its fact is of an incident where there is no asset.';
