create or replace function latest_statement(incident_id integer, resolved_at timestamptz)
  returns table (body text, created_at timestamptz, is_reopening boolean)
  language sql stable parallel safe
begin atomic
  select
    case when p.on_status_page then p.body else '' end,
    p.created_at,
    not p.on_status_page
  from timeline_entries p
  where p.incident_id = latest_statement.incident_id
    and case when p.on_status_page then not p.is_anonymous and p.body <> '' else p.is_reopening end
    and (latest_statement.resolved_at is not null or p.id > coalesce((
      select max(c.id) from incident_updates c
      where c.incident_id = latest_statement.incident_id and c.new_status in ('resolved', 'verified')
    ), 0))
  order by p.id desc
  limit 1;
end;

comment on function latest_statement is
  'The latest statement about an incident (decision 7.16), as a row or none: the newest public text of staff, or a resident''s "not fixed". What was said before a repair that did not last, and with it, is over.';
