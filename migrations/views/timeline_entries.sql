create or replace view timeline_entries as
select
  p.id,
  p.incident_id,
  coalesce(w.name, p.author_label, 'System') as author_name,
  case when is_staff(w.role) and p.via <> 'email' then w.role end as author_role,
  p.author_email,
  p.sender_proven,
  -- The account that an email which is not proven claims to come from (decision 7.3).
  (
    select c.name from users c
    where not p.sender_proven and lower(c.email) = p.author_email and not c.is_mobile_reporter
  ) as claimed_name,
  -- The name of is_anonymous before it had that one: a view keeps the columns it was made with.
  p.is_anonymous as hidden,
  -- Older entries have no signature. The office signed those that only it can have written:
  -- residents cannot set open or acknowledged, and set resolved only when they take back their
  -- confirmation, that is after a verified.
  case when p.author_id is not null then coalesce(p.author_label, case
    when not p.is_anonymous then null
    when p.new_status in ('open', 'acknowledged') then 'The office'
    when p.new_status = 'resolved' and not exists (
      select from incident_updates v
      where v.incident_id = p.incident_id and v.new_status = 'verified' and v.id < p.id
    ) then 'The office'
  end) end as signed_as,
  p.via,
  p.body,
  p.body_for_staff,
  p.new_status,
  p.created_at,
  p.expected_back_at,
  p.status_reason,
  p.closing_reason,
  p.on_status_page,
  -- A resident's "not fixed": residents set no other status.
  p.new_status = 'in_progress'
    and (p.via = 'email' or is_by_resident(w.id, w.role, p.author_label, p.is_anonymous)) as is_reopening,
  p.automatic,
  p.hidden_body,
  p.hidden_reason,
  (select e.id from whole_emails e where e.update_id = p.id) as whole_email_id,
  is_by_resident(w.id, w.role, p.author_label, p.is_anonymous) as is_by_resident,
  -- By neither staff nor the service: a resident's, or by email from a stranger.
  case when w.id is null then p.via = 'email' and p.author_label = 'By email'
    else is_by_resident(w.id, w.role, p.author_label, p.is_anonymous) end as is_by_someone_else,
  -- A new status, or words of the office for the status page. Words of an anonymous reporter are
  -- none of the office, also where the reporter is staff.
  p.new_status is not null or p.on_status_page and not p.is_anonymous as is_news,
  p.is_anonymous
from incident_updates p
left join users w on w.id = p.author_id;

comment on view timeline_entries is
  'The entries of the timelines with their authors, as staff may read them; who else reads what is decided where they are shown.';
