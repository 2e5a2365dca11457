import type { Knex } from 'knex'

/**
 * One table for every event that waits to become emails, pushes and webhook deliveries.
 * `webhook_events`, and the rows of `mail_events` about incidents, are left for processes of the
 * commit before, which empty them themselves until they are restarted. A later migration drops
 * them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists events (
      id bigint generated always as identity primary key,
      event text not null,
      incident_id integer,
      asset_id integer,
      fact json not null,
      details jsonb not null default '{}',
      actor_id integer,
      in_bulk boolean not null default false,
      occurred_at timestamptz not null,
      created_at timestamptz not null,
      request_id text check (char_length(request_id) <= 64),
      check (num_nonnulls(incident_id, asset_id) = 1)
    );
    comment on table events is 'What happened and has not been handed on to those who are told of it. Empty within a second.';
    comment on column events.fact is 'The incident or asset as webhook bodies carry it.';
    comment on column events.details is 'For our own notifications: the status before and after, the update. Never leaves by itself.';
    comment on column events.actor_id is 'Who did it, and is not told.';
    comment on column events.in_bulk is 'One of many of one request: people get one message about all.'`)
}

/** What waits is handed on by the web or worker before it stops. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists events')
}
