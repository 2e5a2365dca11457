/** A report costs the words of its own text alone, read from nowhere. */
const added = `
create or replace function incident_search_added() returns trigger language plpgsql as $$
declare
  said tsvector := array_to_tsvector(array['#' || new.id]) || public.search_lexemes(new.title || ' ' || new.description);
begin
  insert into public.incident_search (incident_id, active_at, words, office_words)
  values (new.id, new.created_at, said,
    public.search_reporter(new.reporter_id, new.reporter_label, new.reporter_email));
  if new.merged_into_id is not null then perform public.refresh_incident_search(new.merged_into_id); end if;
  return null;
end $$;`

const changed = `
create or replace function incident_search_changed() returns trigger language plpgsql as $$
begin
  perform public.refresh_incident_search(new.id);
  if new.merged_into_id is not null then perform public.refresh_incident_search(new.merged_into_id); end if;
  return null;
end $$;`

/**
 * A survivor takes the words that its duplicate has: to read all its texts again for each costs
 * their square.
 */
const merged = `
create or replace function incident_search_merged() returns trigger language plpgsql as $$
begin
  if old.merged_into_id is not null then perform public.refresh_incident_search(old.merged_into_id); end if;
  update public.incident_search s
  set words = public.search_joined(s.words, d.words),
    office_words = public.search_joined(s.office_words, d.office_words)
  from public.incident_search d where d.incident_id = new.id and s.incident_id = new.merged_into_id;
  return null;
end $$;`

/**
 * Entries add their words to the incident and to where that was merged into, once for all that one
 * statement adds.
 */
const entryAdded = `
create or replace function incident_search_said() returns trigger language plpgsql as $$
declare
  incident integer;
begin
  update public.incident_search s
  set active_at = greatest(s.active_at, made.latest),
    words = public.search_joined(s.words, made.public),
    office_words = public.search_joined(s.office_words, made.office)
  from (
    select found.id, max(n.created_at) filter (where found.id = i.id) as latest,
      public.search_lexemes(string_agg(n.body, ' ')) as public,
      public.search_lexemes(coalesce(string_agg(n.body_for_staff, ' '), '')) as office
    from new_rows n join public.incidents i on i.id = n.incident_id
      cross join lateral unnest(array[i.id, i.merged_into_id]) found (id)
    where found.id is not null group by found.id
  ) made
  where s.incident_id = made.id;
  for incident in
    select distinct n.incident_id from new_rows n
    where not exists (select from public.incident_search s where s.incident_id = n.incident_id)
  loop
    perform public.refresh_incident_search(incident);
  end loop;
  return null;
end $$;`

const noteAdded = `
create or replace function incident_search_noted() returns trigger language plpgsql as $$
declare
  survivor integer := (select merged_into_id from public.incidents where id = new.incident_id);
begin
  update public.incident_search s
  set office_words = public.search_joined(s.office_words, public.search_lexemes(new.body))
  where s.incident_id in (new.incident_id, survivor);
  if not found then perform public.refresh_incident_search(new.incident_id); end if;
  return null;
end $$;`

/**
 * When entries or notes change their words, their incident is read again: once for all that one
 * statement changed. `changed`: SQL of the incidents.
 */
const rereadFunction = (name: string, changed: string) => `
create or replace function ${name}() returns trigger language plpgsql as $$
declare
  incident integer;
begin
  for incident in
    select distinct found.id from (${changed}) changed join public.incidents i on i.id = changed.incident_id
      cross join lateral unnest(array[i.id, i.merged_into_id]) found (id)
    where found.id is not null
  loop
    perform public.refresh_incident_search(incident);
  end loop;
  return null;
end $$;`
const entryChanged = rereadFunction(
  'incident_search_said_again',
  `select incident_id from new_rows n join old_rows o using (id, incident_id)
   where row(o.body, o.body_for_staff) is distinct from row(n.body, n.body_for_staff)`,
)
const noteChanged = rereadFunction(
  'incident_search_noted_again',
  'select incident_id from new_rows n join old_rows o using (id, incident_id) where o.body <> n.body',
)
const noteRemoved = rereadFunction('incident_search_unnoted', 'select incident_id from old_rows')

/** SQL: the functions that keep `incident_search` right as its texts are written. */
export const searchActs = [
  added,
  changed,
  merged,
  entryAdded,
  noteAdded,
  entryChanged,
  noteChanged,
  noteRemoved,
].join('\n')

/** A trigger that runs `act` for each row of `table` on `event`, and only under `condition`. */
const rowTrigger = (name: string, event: string, table: string, act: string, condition = '') =>
  `create or replace trigger ${name} after ${event} on ${table} for each row ${condition} execute function ${act}()`

/** A trigger that runs `act` once for each statement. */
const statementTrigger = (name: string, event: string, act: string) =>
  `create or replace trigger ${name} after ${event} for each statement execute function ${act}()`

/** SQL: one statement for each trigger. */
export const searchTriggers = [
  rowTrigger('incidents_search_added', 'insert', 'incidents', 'incident_search_added'),
  rowTrigger(
    'incidents_search_changed',
    'update of title, description, reporter_id, reporter_label, reporter_email',
    'incidents',
    'incident_search_changed',
    `when (row(old.title, old.description, old.reporter_id, old.reporter_label, old.reporter_email)
      is distinct from row(new.title, new.description, new.reporter_id, new.reporter_label, new.reporter_email))`,
  ),
  rowTrigger(
    'incidents_search_merged',
    'update of merged_into_id',
    'incidents',
    'incident_search_merged',
    'when (old.merged_into_id is distinct from new.merged_into_id)',
  ),
  statementTrigger(
    'incident_updates_search_added',
    'insert on incident_updates referencing new table as new_rows',
    'incident_search_said',
  ),
  rowTrigger('internal_notes_search_added', 'insert', 'internal_notes', 'incident_search_noted'),
  statementTrigger(
    'incident_updates_search_changed',
    'update on incident_updates referencing old table as old_rows new table as new_rows',
    'incident_search_said_again',
  ),
  statementTrigger(
    'internal_notes_search_changed',
    'update on internal_notes referencing old table as old_rows new table as new_rows',
    'incident_search_noted_again',
  ),
  statementTrigger(
    'internal_notes_search_removed',
    'delete on internal_notes referencing old table as old_rows',
    'incident_search_unnoted',
  ),
]
