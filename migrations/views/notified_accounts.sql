create or replace function notified_accounts(
    event text,
    incident_id integer,
    created_at timestamptz,
    actor_id integer,
    details jsonb,
    channel text,
    audience text,
    setting text
  ) returns table (user_id integer)
  language sql stable parallel safe
begin atomic
  select u.id
  from (
    -- Someone who followed only after the event is not notified of it; times are compared in whole
    -- milliseconds, as changes store them.
    select f.user_id as id
    from followers f
    where notified_accounts.audience = 'followers'
      and f.incident_id = notified_accounts.incident_id
      and f.created_at < notified_accounts.created_at + interval '1 ms'
    union all
    -- Other staff are those who are not notified of the same change of status as followers.
    select s.id
    from users s
    where notified_accounts.audience in ('staff', 'otherStaff')
      and s.active and is_staff(s.role)
      and not (
        notified_accounts.audience = 'otherStaff'
        and exists (
          select from followers f
          where f.incident_id = notified_accounts.incident_id and f.user_id = s.id
        )
        and wants_notification(s.notifications, 'status.' || notified_accounts.channel)
      )
  ) a
  join users u on u.id = a.id
  where u.active
    and wants_notification(u.notifications, notified_accounts.setting || '.' || notified_accounts.channel)
    and case
      -- All phones of the mobile key are one user, who has no mailbox and gets every push.
      when u.is_mobile_reporter then notified_accounts.channel = 'push'
      -- The phones of an account get a push of its own report.
      when notified_accounts.channel = 'push' and notified_accounts.event = 'incident.created'
        and u.id = (select reporter_id from incidents where id = notified_accounts.incident_id) then true
      -- Neither the person who acted nor the author of a comment that came by email is notified.
      else u.id is distinct from
        coalesce(notified_accounts.actor_id, (notified_accounts.details ->> 'authorId')::integer)
    end;
end;

comment on function notified_accounts is
  'The accounts that are notified of an event by email or push, as the table in notifications/audience.ts says: audience is staff, followers or otherStaff, setting the part of the setting before its channel.';
