create or replace view whole_email_authors as
select
  e.id,
  e.incident_id,
  e.subject,
  e.text,
  e.received_at,
  case
    when e.update_id is not null then p.author_id
    when e.note_id is not null then null
    else i.reporter_id
  end as author_id,
  case
    when e.update_id is not null then p.author_email
    when e.note_id is not null then n.author_email
    else i.reporter_email
  end as author_email
from whole_emails e
join incidents i on i.id = e.incident_id
left join incident_updates p on p.id = e.update_id
left join internal_notes n on n.id = e.note_id;

comment on view whole_email_authors is
  'Whole emails with the account and the address of who wrote what they became: a report, an update or a note. A note by email has no account.';
