create or replace function public_session_id(id_hash bytea) returns text
  language sql immutable parallel safe
  return left(encode(sha256(id_hash), 'hex'), 16);

comment on function public_session_id is 'The id by which its owner knows a session. It cannot sign anyone in.';
