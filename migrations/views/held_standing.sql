create or replace function held_standing(sender_standing text, user_id integer) returns text
  language sql immutable parallel safe
  return coalesce(sender_standing, case when user_id is null then 'unproven' else 'account' end);

comment on function held_standing is
  'The standing of the sender of a held email. Rows of version 1.0.0 have none of their own.';
