create or replace function affected_people(incident_id integer) returns table (total integer)
  language sql stable parallel safe
begin atomic
  select (
    (
      select count(*) from incidents reports
      where reports.id = affected_people.incident_id
        or reports.merged_into_id = affected_people.incident_id
    ) + (
      select count(distinct accounts.user_id)
      from incidents reports
      join followers accounts on accounts.incident_id = reports.id
      where accounts.by_choice and (
        reports.id = affected_people.incident_id
        or reports.merged_into_id = affected_people.incident_id
      )
    ) + (
      select count(distinct people.id)
      from incidents reports
      join email_follows follows on follows.incident_id = reports.id
      join email_followers people on people.id = follows.email_follower_id
      where follows.by_choice and (
          reports.id = affected_people.incident_id
          or reports.merged_into_id = affected_people.incident_id
        )
        -- Who follows with an account and by its address counts once.
        and not exists (
          select from incidents others
          join followers accounts on accounts.incident_id = others.id
          join users on users.id = accounts.user_id
          where accounts.by_choice
            and (
              others.id = affected_people.incident_id
              or others.merged_into_id = affected_people.incident_id
            )
            and lower(users.email) = lower(people.address)
        )
    )
  )::integer;
end;

comment on function affected_people is
  'How many an incident affects, as one row: the reports of it, duplicates included, and the people who said, signed in or by email, that they have it too. Never who follows otherwise: a report adds one only for a reporter who is known (decision 2.9).';
