create or replace function incident_family(incident_id integer) returns table (id integer)
  language sql stable parallel safe
begin atomic
  select incident_family.incident_id
  union
  select i.merged_into_id from incidents i where i.id = incident_family.incident_id
  union
  select i.id from incidents i where i.merged_into_id = incident_family.incident_id;
end;

comment on function incident_family is
  'An incident, what it was merged into and its duplicates: who follows one by email follows all.';
