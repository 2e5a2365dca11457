import { readFileSync } from 'node:fs'
import type { Knex } from 'knex'
import { searchRows } from './searchIndex.js'
import { searchActs, searchTriggers } from './searchTriggers.js'

/** The schema of version 1.0.0 (decision 8.8): what every building begins with. */
export async function up(knex: Knex): Promise<void> {
  // Functions first, because an index uses one. Their bodies name tables that come later.
  await knex.raw(`set local check_function_bodies = off; ${guards} ${searchRows} ${searchActs}`)
  await knex.raw(readFileSync(new URL('./20261124200000_baseline.sql', import.meta.url), 'utf8'))
  await knex.raw(guardTriggers)
  for (const trigger of searchTriggers) await knex.raw(trigger)
  await knex.raw(firstRows)
}

/**
 * The audit log only grows (decision 4.14), and a merged report is never merged into (decision
 * 2.5).
 */
const guards = `
  create function audit_is_append_only() returns trigger language plpgsql as $$
  begin
    raise exception 'audit entries are append-only' using errcode = 'insufficient_privilege';
  end $$;
  create function merged_into_survivor() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from incidents where id = new.merged_into_id and merged_into_id is not null) then
      raise exception 'a survivor cannot itself be merged' using errcode = 'check_violation';
    end if;
    return new;
  end $$;`

const guardTriggers = `
  create trigger audit_entries_no_change before update or delete on audit_entries
    for each row execute function audit_is_append_only();
  create trigger audit_entries_no_truncate before truncate on audit_entries
    for each statement execute function audit_is_append_only();
  create trigger incidents_survivor before insert or update of merged_into_id on incidents
    for each row when (new.merged_into_id is not null) execute function merged_into_survivor();`

/**
 * The property, the account that the mobile app reports as, the building's identity and the flags.
 */
const firstRows = `
  insert into properties (name) values ('Our building');
  insert into users (name, email, role, is_mobile_reporter)
    values ('Mobile Reporter', 'mobile-reporter@caretaker.invalid', 'resident', true);
  insert into building_identity default values;
  insert into feature_flags (name) values ('ai_triage');`

/** Takes everything away again: tables, then functions. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`do $$
    declare one record;
    begin
      for one in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'migrations%'
      loop execute format('drop table %I cascade', one.relname); end loop;
      for one in select oid::regprocedure as signature from pg_proc p where pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      loop execute format('drop function %s cascade', one.signature); end loop;
    end $$`)
}
