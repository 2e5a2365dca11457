create or replace function gather_key(kind text, event text, incident_id integer, by_one_request boolean, recipient text)
  returns text
  language sql immutable parallel safe
  return kind || ':' || event || ':' || case
    when event = 'incident.commented' then incident_id::text || ':'
    when event = 'incident.merged' or by_one_request then ''
  end || recipient;

comment on function gather_key is
  'The key under which events gather in one message to a recipient (decision 7.2): comments on one incident; merges; what one request did to many incidents. Null: a message of its own.';
