create or replace view invitable_users as
select u.id, u.name, u.email
from users u
where u.active and u.password_hash is null and not u.is_mobile_reporter
  and not exists (select from identities i where i.user_id = u.id)
  and not exists (
    select from outbox o
    where o.created_at > now() - interval '24 hours' and o.event = 'account.invited' and o.recipient_id = u.id
  );

comment on view invitable_users is
  'People who can still be invited: active, with neither a password nor another way in, and not invited in the last 24 hours.';
