create or replace function escaped_bytes(text text) returns integer
  language sql immutable parallel safe
  return octet_length(text)
    + 5 * (length(text) - length(translate(text, '<>&"''\' || chr(10) || chr(9), '')));

comment on function escaped_bytes is
  'Bytes of a text as HTML or JSON, whichever is more: an escaped character takes up to six.';
