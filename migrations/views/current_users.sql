create or replace view current_users as
select
  u.id,
  u.name,
  u.email,
  u.role,
  u.locale,
  u.unit_id,
  u.session_epoch as epoch,
  exists (
    select from second_factors f where f.user_id = u.id and f.confirmed_at is not null
  ) as has_second_factor,
  is_staff(u.role)
    and exists (select from properties where second_factor_required = 'staff')
    and not exists (
      select from second_factors f where f.user_id = u.id and f.confirmed_at is not null
    ) as lacks_second_factor,
  u.active
from users u;

comment on view current_users is
  'Accounts as a request or a sign-in reads them: whether a code is needed, and whether the office is closed to them because they lack the second factor that the property demands (decision 7.12).';
