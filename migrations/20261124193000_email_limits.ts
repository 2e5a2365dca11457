import type { Knex } from 'knex'

/** Limits of incoming email by what is known of its sender, and whether a sender is proven (decisions 7.3, 7.4, 7.5). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index inbound_messages_of_unknown;
    alter table inbound_messages
      add column standing text check (standing in ('proven', 'claimed', 'stranger')),
      add column domain text check (char_length(domain) <= 320);
    update inbound_messages set standing = 'stranger', domain = unknown_domain where unknown_domain is not null;
    alter table inbound_messages drop column unknown_domain;
    comment on column inbound_messages.standing is 'Of an email that was taken in: proven (the account of a sender who is proven), claimed (an account, not proven), stranger (no account). Null for emails that were not taken in.';
    comment on column inbound_messages.domain is 'The domain of the address, empty when there is none; set together with standing.';
    create index inbound_messages_taken on inbound_messages (received_at) where standing is not null;

    alter table held_mails
      add column has_account boolean not null default false,
      drop constraint held_mails_reason_check;
    -- Emails held before this had a name without proof: it is not shown when they are taken in.
    update held_mails set has_account = true, user_id = null where user_id is not null;
    alter table held_mails add constraint held_mails_reason_check check (reason in ('sender', 'domain', 'total', 'timeline', 'unsorted', 'reply', 'own_address', 'own_mail', 'bounce', 'automatic_reply'));
    comment on column held_mails.has_account is 'An account has this address, proven or not: part of the room is kept for those.';
    comment on column held_mails.user_id is 'The account of a sender who is proven, by whose name it is shown.';

    alter table incidents add column sender_proven boolean;
    comment on column incidents.sender_proven is 'Of an email: whether its From is proven. Null for reports that came otherwise, and for emails from before this was kept.';
    alter table incident_updates add column sender_proven boolean;
    comment on column incident_updates.sender_proven is 'As in incidents.';

    alter table internal_notes
      alter column author_id drop not null,
      add column author_email text;
    comment on column internal_notes.author_email is 'Of a note that came by email from an assignee outside the building; empty when the address is unknown or erased.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from internal_notes where author_id is null;
    alter table internal_notes drop column author_email, alter column author_id set not null;
    alter table incident_updates drop column sender_proven;
    alter table incidents drop column sender_proven;
    update held_mails set reason = 'total' where reason in ('sender', 'timeline', 'reply');
    alter table held_mails drop column has_account, drop constraint held_mails_reason_check;
    alter table held_mails add constraint held_mails_reason_check check (reason in ('domain', 'total', 'own_address', 'own_mail', 'bounce', 'automatic_reply', 'unsorted'));
    drop index inbound_messages_taken;
    alter table inbound_messages add column unknown_domain text check (char_length(unknown_domain) <= 320);
    update inbound_messages set unknown_domain = domain where standing = 'stranger';
    alter table inbound_messages drop column standing, drop column domain;
    create index inbound_messages_of_unknown on inbound_messages (received_at) where unknown_domain is not null;
  `)
}
