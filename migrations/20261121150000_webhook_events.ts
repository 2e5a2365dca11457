import type { Knex } from 'knex'

/** With many subscriptions an event waits in one row, so that its request does not wait for each of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_events (
      id bigint generated always as identity primary key,
      event text not null,
      body text not null,
      subscription_ids integer[] not null,
      created_at timestamptz not null
    );
    comment on table webhook_events is 'Becomes one delivery for each of its subscriptions at the next look, and is gone.';
    comment on column webhook_events.subscription_ids is 'Who was to be told when it happened.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_events')
}
