create or replace function sending_is_on() returns boolean
  language sql stable parallel safe
  return (select sending_paused_at is null from properties where id = 1);

comment on function sending_is_on is
  'Whether emails, pushes and webhooks leave: no operator has paused them, and this is no copy that was restored or moved away.';
