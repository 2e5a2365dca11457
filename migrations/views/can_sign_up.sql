create or replace function can_sign_up(address text) returns boolean
  language sql stable parallel safe
  return exists (select from properties where sign_up = 'anybody')
    and not exists (select from users where lower(email) = lower(address));

comment on function can_sign_up is 'Whether anyone may make an account, and no one has one with this address.';
