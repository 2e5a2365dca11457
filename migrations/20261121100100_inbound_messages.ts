import type { Knex } from 'knex'

/** Mails received in the last day: a repeated one gets the first answer, a flood notifies nobody. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table inbound_messages (
      digest text primary key,
      sender text not null check (char_length(sender) <= 320),
      action text not null check (action in ('created', 'appended', 'ignored')),
      incident_id integer references incidents on delete restrict,
      reason text check (char_length(reason) <= 100),
      received_at timestamptz not null,
      check ((action = 'ignored') = (reason is not null)),
      check ((action = 'ignored') = (incident_id is null))
    );
    comment on table inbound_messages is 'Mails of the last 24 hours and how they were answered, written in the same transaction.';
    comment on column inbound_messages.digest is 'SHA-256 over the sender and the message id, or over all of the mail.';
    comment on column inbound_messages.sender is 'Address in lower case; empty when the mail names none.';
    create index inbound_messages_of_sender on inbound_messages (sender, received_at);
    create index inbound_messages_age on inbound_messages (received_at);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table inbound_messages')
}
