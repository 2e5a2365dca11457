create or replace function can_sign_up(address text) returns boolean
  language sql stable parallel safe
  return exists (select from properties where sign_up = 'anybody')
    and not exists (select from users where lower(email) = lower(address));

comment on function can_sign_up is 'Whether the property lets anyone make an account, and this address has none.';
