/** In a bracket: all but letters and digits, in blocks: signs, private characters, pictures. */
const separating = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b0-\u02ff\u2000-\u2bff\u3000-\u303f\ue000-\uf8ff\ufe00-\ufeff\uff00-\uff0f\uff1a-\uff20\U0001f000-\U0001ffff`

/**
 * What is left of a text to be searched: letters and digits, in lower case, without accents, one
 * blank between words. By Unicode's own decomposition: the extension `unaccent` is not everywhere,
 * and needs rights.
 */
const plain = `
create or replace function search_plain(given text) returns text language plpgsql immutable parallel safe strict as $$
begin
  -- ASCII alone, as most is, costs a tenth.
  if octet_length(given) = char_length(given) then
    return lower(regexp_replace(given, '[^a-zA-Z0-9 ]+', ' ', 'g'));
  end if;
  return replace(lower(translate(regexp_replace(regexp_replace(normalize(given, NFKD),
    '[\\u0300-\\u036f]+', '', 'g'), '[${separating}]+', ' ', 'g'), 'ØøŁłĐđĦħı', 'oollddhhi')), 'ß', 'ss');
end $$;`

/**
 * Its words as they are, for prefixes, and their stems in each language of the building (decision
 * 5.6). No one writes words of more than two kilobytes; a text of too many words is not found by
 * any of them, rather than refused.
 */
const lexemes = `
create or replace function search_lexemes(given text) returns tsvector language plpgsql immutable parallel safe strict as $$
declare
  plain tsvector;
  once text;
begin
  plain := strip(to_tsvector('pg_catalog.simple', public.search_plain(left(given, 200000))));
  once := array_to_string(tsvector_to_array(plain), ' ');
  return plain || strip(to_tsvector('pg_catalog.english', once)) || strip(to_tsvector('pg_catalog.spanish', once));
exception when program_limit_exceeded then return ''::tsvector;
end $$;`

/**
 * One tsvector holds a megabyte: what comes after 20,000 different words is not searched, and
 * nothing fails.
 */
const joined = `
create or replace function search_joined(first tsvector, second tsvector) returns tsvector language plpgsql immutable parallel safe strict as $$
begin
  if length(first) > 20000 then return first; end if;
  return first || second;
exception when program_limit_exceeded then return first;
end $$;`

/** Words that no text can have: the id of its reporter, and the words of an email's sender. */
const reporter = `
create or replace function search_reporter(reporter integer, label text, email text) returns tsvector language plpgsql immutable parallel safe as $$
begin
  if label is null and email is null then
    return case when reporter is null then ''::tsvector else array_to_tsvector(array['u:' || reporter]) end;
  end if;
  return array_to_tsvector(array_remove(array['u:' || reporter], null) || array(
    select 'r:' || word from unnest(tsvector_to_array(
      to_tsvector('pg_catalog.simple', public.search_plain(concat_ws(' ', label, email))))) word));
end $$;`

/**
 * Every text of an incident itself, without its duplicates, and who reads it. What only staff may
 * read is not public here.
 */
const texts = `
create or replace function incident_texts(incident integer) returns table (body text, is_public boolean) language sql stable as $$
  select i.title || ' ' || i.description, true from public.incidents i where i.id = incident
  union all
  select string_agg(p.body, ' ' order by p.id), true from public.incident_updates p where p.incident_id = incident
  union all
  select string_agg(p.body_for_staff, ' ' order by p.id), false from public.incident_updates p
  where p.incident_id = incident and p.body_for_staff is not null
  union all
  select string_agg(n.body, ' ' order by n.id), false from public.internal_notes n where n.incident_id = incident
$$;`

/**
 * The row of an incident and its duplicates, as the first version of the search had it.
 * `rowWithEmails` in searchEmails.ts replaces it.
 */
const rowOf = `
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
  return next;
end $$;`

const refresh = `
create or replace function refresh_incident_search(incident integer) returns void language sql as $$
  insert into public.incident_search (incident_id, active_at, words, office_words)
  select incident, made.active_at, made.words, made.office_words from public.search_row_of(incident) made
  on conflict (incident_id) do update
  set active_at = excluded.active_at, words = excluded.words, office_words = excluded.office_words
$$;`

/**
 * SQL: the functions that make the rows of `incident_search`; whatever runs them has rights on the
 * tables anyway.
 */
export const searchRows = [plain, lexemes, joined, reporter, texts, rowOf, refresh].join('\n')
