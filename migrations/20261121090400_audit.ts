import type { Knex } from 'knex'

/** The append-only record of every write (spec §1, decision 4.14). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entries (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      actor_type text not null check (actor_type in ('user', 'system')),
      actor_id integer references users on delete restrict,
      actor_name text not null,
      action text not null,
      entity text not null,
      entity_id integer,
      changes jsonb not null default '{}',
      via text not null check (via in ('web', 'mobile', 'cron', 'email', 'cli', 'scheduler')),
      request_id text,
      affects_status boolean not null,
      transaction_id xid8 not null default pg_current_xact_id(),
      check ((actor_type = 'user') = (actor_id is not null))
    );
    comment on column audit_entries.transaction_id is
      'With affects_status: tells a reader of the status page whether its copy is still exact.';
    create index audit_entries_of_entity on audit_entries (entity, entity_id, id desc);
    create index audit_entries_of_actor on audit_entries (actor_id, id desc) where actor_id is not null;
    create index audit_entries_by_action on audit_entries (action, id desc);
    create index audit_entries_by_time on audit_entries using brin (at);
    create index audit_entries_status on audit_entries (transaction_id) where affects_status;

    create function audit_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'audit entries are append-only' using errcode = 'insufficient_privilege';
    end $$;
    create trigger audit_entries_no_change before update or delete on audit_entries
      for each row execute function audit_is_append_only();
    create trigger audit_entries_no_truncate before truncate on audit_entries
      for each statement execute function audit_is_append_only();
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_entries; drop function audit_is_append_only()')
}
