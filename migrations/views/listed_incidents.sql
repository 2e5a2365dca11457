create or replace view listed_incidents as
select
  i.id,
  i.title,
  i.description,
  i.severity,
  i.status,
  i.is_downtime,
  i.asset_id,
  a.name as asset_name,
  i.unit_id,
  u.name as unit_name,
  coalesce(r.name, 'By email') as reporter_name,
  i.sla_breached,
  i.source,
  i.created_at,
  i.resolved_at,
  i.expected_back_at,
  i.status_reason,
  i.closing_reason,
  i.reporter_id,
  coalesce(is_staff(r.role), false) as reporter_is_staff,
  i.reporter_email,
  i.sender_proven,
  -- The account that an email which is not proven claims to come from (decision 7.3).
  (
    select c.name from users c
    where not i.sender_proven and lower(c.email) = i.reporter_email and not c.is_mobile_reporter
  ) as claimed_name,
  i.is_anonymous,
  i.acknowledged_at,
  i.merged_into_id,
  i.assignee_id,
  i.contact_id,
  i.due_on,
  i.verified_at,
  i.reopened_at,
  i.hidden_title,
  i.hidden_description,
  i.dismissed_at,
  u.tower_name,
  (select unit_visibility from properties) as unit_visibility
from incidents i
left join assets a on a.id = i.asset_id
left join named_units u on u.id = i.unit_id
left join users r on r.id = i.reporter_id;

comment on view listed_incidents is
  'Incidents with the names of their place and reporter, as staff may read them: the row that lists, pages and JSON are made from. Its columns are the fields of an incident in the code.';
