import type { Knex } from 'knex'
import {
  type ColumnName,
  renameColumn,
  renameTable,
  type TableName,
  unrenameColumn,
  unrenameTable,
} from './newNames.js'

/** Each statement is a transaction of its own, and bears being run again. */
export const transaction = false

/** Whose processes run on the old names while a building is upgraded, or after it went back. */
const earlier = 'version 1.0.0 (commit bfee6a98)'

/** Tables, in an order in which the ones they refer to come first. */
const tables: readonly TableName[] = [
  { from: 'mail_followers', to: 'email_followers' },
  { from: 'mail_follows', to: 'email_follows', columns: { mail_follower_id: 'email_follower_id' } },
  { from: 'mail_events', to: 'email_events' },
  { from: 'held_mails', to: 'held_emails' },
  { from: 'held_photos', to: 'held_email_photos', columns: { held_mail_id: 'held_email_id' } },
  { from: 'unkept_mails', to: 'dropped_emails', columns: { mails: 'emails' } },
  { from: 'inbound_messages', to: 'inbound_emails', columns: { told: 'staff_notified' } },
  { from: 'asset_tellings', to: 'asset_notifications', columns: { told_at: 'notified_at' } },
  {
    from: 'maintenance_tellings',
    to: 'maintenance_reminders',
    columns: { told: 'kind', told_at: 'sent_at' },
  },
]

const comments: Readonly<Record<string, string>> = {
  'table email_events':
    'Becomes one email for each person who follows by email, and is gone: its writer does not wait for them.',
  'table email_follows':
    'What is followed by email; the whole building when it names nothing. Accounts follow incidents in followers.',
  'column email_followers.failures':
    'Emails their server refused for good, since they last pressed a button.',
  'column held_emails.answers_ours':
    'It brings back an email of ours: names are taken out of it before it is an incident.',
  'table held_email_photos': 'In the store, and shown to nobody until the email is an incident.',
  'table dropped_emails':
    'Emails that found no room among the held ones, by domain; beyond a hundred domains under the empty one.',
  'table inbound_emails':
    'Emails of the last 24 hours and how they were answered, written in the same transaction.',
  'column inbound_emails.digest': 'SHA-256 over the sender and the message id, or over all of the email.',
  'column inbound_emails.sender': 'Address in lower case; empty when the email names none.',
  'column inbound_emails.staff_notified': 'Whether staff were emailed about that incident.',
  'table asset_notifications':
    'What the followers of an asset were last notified of; notified_at is null while no one was.',
  'table maintenance_reminders':
    'Occurrences whose followers were reminded the day before, or notified that it is over: once each.',
  'column maintenance_reminders.kind': 'ahead: the day before; done: it is over.',
}

const columns: readonly ColumnName[] = [
  {
    table: 'incidents',
    from: 'came_back_at',
    to: 'reopened_at',
    type: 'timestamptz',
    comment: 'A resident said that it is not fixed, and the office has not reacted since.',
    indexes: [
      {
        name: 'incidents_reopened',
        on: 'incidents (reopened_at) where reopened_at is not null and merged_into_id is null',
      },
      {
        name: 'incidents_awaiting_answer',
        on: `incidents (unanswered_since)
          where unanswered_since is not null and reopened_at is null and merged_into_id is null`,
      },
    ],
  },
  {
    table: 'incidents',
    from: 'spoken_at',
    to: 'last_staff_update_at',
    type: 'timestamptz',
    comment: 'When the office last wrote in public; null before the first time.',
    indexes: [
      {
        name: 'incidents_in_progress',
        on: `incidents (coalesce(last_staff_update_at, acknowledged_at))
          where status in ('acknowledged', 'in_progress') and merged_into_id is null
            and reopened_at is null and unanswered_since is null
            and (asset_id is not null or unit_id is not null)`,
      },
    ],
  },
  {
    table: 'dismissals',
    from: 'came_back_at',
    to: 'reopened_at',
    type: 'timestamptz',
    comment: 'What incidents.reopened_at was.',
  },
  {
    table: 'properties',
    from: 'mail_visibility',
    to: 'email_visibility',
    type: `text not null default 'at_once' check (email_visibility in ('at_once', 'when_sorted'))`,
    initial: `'at_once'`,
    comment: 'Whether what comes by email is public before the office has sorted it.',
  },
  {
    table: 'email_links',
    from: 'mail_follower_id',
    to: 'email_follower_id',
    type: 'integer',
    comment: 'The person without an account whom it is for.',
    indexes: [{ name: 'email_links_of_email_follower', on: 'email_links (email_follower_id)' }],
    rules: {
      email_links_email_follower_id_fkey:
        'foreign key (email_follower_id) references email_followers on delete cascade',
      email_links_reader: 'check (num_nonnulls(user_id, email_follower_id) = 1)',
    },
  },
  {
    table: 'outbox',
    from: 'mail_follower_id',
    to: 'email_follower_id',
    type: 'integer',
    comment: 'The person without an account whom it is for, in place of a recipient.',
    indexes: [
      {
        name: 'outbox_of_email_follower',
        on: 'outbox (email_follower_id) where email_follower_id is not null',
      },
    ],
    rules: {
      outbox_recipient: 'check (num_nonnulls(recipient_id, email_follower_id, contact_id) <= 1)',
    },
  },
]

/**
 * The words of the code in the database: email, notified, reopened. A table gets its new name at
 * once, and a view has the old one. A table that keeps its name gets a second column, because
 * earlier processes read and write the old one in the table itself.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of tables) await renameTable(knex, table, earlier)
  for (const [what, comment] of Object.entries(comments)) await knex.raw(`comment on ${what} is '${comment}'`)
  for (const column of columns) await renameColumn(knex, column, earlier)
}

export async function down(knex: Knex): Promise<void> {
  for (const column of columns) await unrenameColumn(knex, column)
  for (const table of tables) await unrenameTable(knex, table)
}
