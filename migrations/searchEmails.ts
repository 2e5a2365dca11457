/**
 * The words of an email. One of many thousand different words is written to fill the search: only
 * its beginning is found.
 */
const words = `
create or replace function search_email_words(given text) returns tsvector language plpgsql immutable parallel safe strict as $$
declare
  found tsvector := public.search_lexemes(given);
begin
  if length(found) > 5000 then return public.search_lexemes(left(given, 10000)); end if;
  return found;
end $$;`

/**
 * Adds an email's words to those of an incident, which hold 20,000: emails leave
 * room for what staff write.
 */
const joinedEmail = `
create or replace function search_joined_email(first tsvector, second tsvector) returns tsvector language plpgsql immutable parallel safe strict as $$
begin
  if length(first) > 10000 then return first; end if;
  return public.search_joined(first, second);
end $$;`

/** SQL: what the table of whole emails computes its words by. */
export const emailWords = [words, joinedEmail].join('\n')

/** SQL: the row of an incident and its duplicates, which is in force; emails come last. */
export const rowWithEmails = `
create or replace function search_row_of(incident integer)
  returns table (active_at timestamptz, words tsvector, office_words tsvector) language plpgsql stable as $$
declare
  own record;
  said record;
begin
  words := ''::tsvector;
  office_words := ''::tsvector;
  for own in
    select i.id, i.created_at, i.reporter_id, i.reporter_label, i.reporter_email from public.incidents i
    where i.id = incident or i.merged_into_id = incident order by i.id
  loop
    if own.id = incident then
      select greatest(own.created_at, max(p.created_at)) into active_at
      from public.incident_updates p where p.incident_id = incident;
    end if;
    words := public.search_joined(words, array_to_tsvector(array['#' || own.id]));
    office_words := public.search_joined(office_words,
      public.search_reporter(own.reporter_id, own.reporter_label, own.reporter_email));
    for said in select t.body, t.is_public from public.incident_texts(own.id) t where t.body <> '' loop
      if said.is_public then words := public.search_joined(words, public.search_lexemes(said.body));
      else office_words := public.search_joined(office_words, public.search_lexemes(said.body)); end if;
    end loop;
  end loop;
  if active_at is null then return; end if;
  for said in
    select e.words from public.whole_emails e join public.incidents i on i.id = e.incident_id
    where i.id = incident or i.merged_into_id = incident order by e.id
  loop
    office_words := public.search_joined_email(office_words, said.words);
  end loop;
  return next;
end $$;`

/**
 * SQL: one statement for each function and trigger that keeps the search
 * right as emails come and go.
 */
export const emailTrigger: readonly string[] = [
  `create or replace function incident_search_emailed() returns trigger language plpgsql as $$
   declare
     survivor integer := (select merged_into_id from public.incidents where id = new.incident_id);
   begin
     update public.incident_search s
     set office_words = public.search_joined_email(s.office_words, new.words)
     where s.incident_id in (new.incident_id, survivor);
     if not found then perform public.refresh_incident_search(new.incident_id); end if;
     return null;
   end $$`,
  `create or replace function incident_search_unemailed() returns trigger language plpgsql as $$
   declare
     incident integer;
   begin
     for incident in
       select distinct found.id from old_rows o join public.incidents i on i.id = o.incident_id
         cross join lateral unnest(array[i.id, i.merged_into_id]) found (id)
       where found.id is not null
     loop
       perform public.refresh_incident_search(incident);
     end loop;
     return null;
   end $$`,
  `create or replace trigger whole_emails_search_added after insert on whole_emails
   for each row execute function incident_search_emailed()`,
  `create or replace trigger whole_emails_search_removed after delete on whole_emails
   referencing old table as old_rows for each statement execute function incident_search_unemailed()`,
]
