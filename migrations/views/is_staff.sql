create or replace function is_staff(role text) returns boolean
  language sql immutable parallel safe
  return role in ('board', 'manager', 'admin');

comment on function is_staff is 'Whether an account of this role is staff (spec §1); null where there is no account.';
