import type { Knex } from 'knex'

/** Where rows say which request caused them: the transaction that writes them knows (`change`). */
const tables = ['outbox', 'mail_events', 'webhook_events', 'webhook_deliveries']

/** Since when a message fails, the request behind each delivery, and one scheduled digest to a person. */
export async function up(knex: Knex): Promise<void> {
  for (const table of tables) {
    await knex.raw(`
      alter table ${table} add column request_id text check (char_length(request_id) <= 64);
      alter table ${table} alter column request_id set default nullif(current_setting('caretaker.request_id', true), '');
    `)
  }
  await knex.raw(`
    comment on column outbox.request_id is 'Of the request that caused the row; also in its log line and audit entry.';
    alter table outbox add column failing_since timestamptz;
    alter table outbox add column once_key text check (char_length(once_key) <= 100);
    comment on column outbox.failing_since is 'The first of the attempts that failed and are to be made again.';
    comment on column outbox.once_key is 'What may be written once only, such as the digest of a week for a person.';
    create index outbox_failing on outbox (kind, failing_since)
      where failing_since is not null and sent_at is null and failed_at is null;
    create index outbox_delivered on outbox (kind, sent_at) where sent_at is not null and last_error is null;
    create unique index outbox_once on outbox (once_key) where once_key is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox drop column failing_since, drop column once_key')
  for (const table of tables) await knex.raw(`alter table ${table} drop column request_id`)
}
