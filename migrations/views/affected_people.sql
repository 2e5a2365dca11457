create or replace function affected_people(incident_id integer) returns table (total integer)
  language sql stable parallel safe
begin atomic
  select (
    (
      select count(*) from incidents d
      where d.id = affected_people.incident_id or d.merged_into_id = affected_people.incident_id
    ) + (
      select count(distinct f.user_id)
      from incidents d
      join followers f on f.incident_id = d.id
      where f.by_choice and (d.id = affected_people.incident_id or d.merged_into_id = affected_people.incident_id)
    ) + (
      select count(distinct m.id)
      from incidents d
      join email_follows g on g.incident_id = d.id
      join email_followers m on m.id = g.email_follower_id
      where g.by_choice and (d.id = affected_people.incident_id or d.merged_into_id = affected_people.incident_id)
        and not exists (
          select from incidents e
          join followers f on f.incident_id = e.id
          join users u on u.id = f.user_id
          where f.by_choice
            and (e.id = affected_people.incident_id or e.merged_into_id = affected_people.incident_id)
            and lower(u.email) = lower(m.address)
        )
    )
  )::integer;
end;

comment on function affected_people is
  'How many an incident affects, as one row: the reports of it, duplicates included, and the people who said, signed in or by email, that they have it too. Never who follows otherwise: a report adds one only for a reporter who is known (decision 2.9).';
