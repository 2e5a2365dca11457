import type { Knex } from 'knex'
import * as baseline from './20261124200000_baseline.js'
import * as emailLinks from './20261125090000_email_links.js'
import * as events from './20261126090000_events.js'
import * as unconfirmedMessages from './20261127070000_unconfirmed_messages.js'
import * as sentForms from './20261127090000_sent_forms.js'
import * as receipts from './20261127100000_receipts.js'
import * as wholeEmails from './20261127100000_whole_emails.js'
import * as emailKinds from './20261127110000_email_kinds.js'
import * as senderStanding from './20261127120000_sender_standing.js'
import * as heldEmailMarks from './20261127130000_held_email_marks.js'
import * as unusedTables from './20261127180000_unused_tables.js'
import * as names from './20261127190000_names.js'
import * as databaseViews from './20261127200000_database_views.js'
import * as comments from './20261127210000_comments.js'
import * as contactHours from './20261128020000_contact_hours.js'
import * as firstImpacts from './20261128023000_first_impacts.js'
import * as signInCodes from './20261128030000_sign_in_codes.js'

/**
 * A dated migration: its name must not change once it has run anywhere. `transaction: false`: each
 * of its statements is a transaction of its own, for indexes built concurrently; it must bear being
 * run again from its start.
 */
export type Migration = {
  name: string
  transaction?: boolean
  up: (knex: Knex) => Promise<void>
  down: (knex: Knex) => Promise<void>
}

/**
 * Every migration, oldest first. A list, because sources and compiled files must have the same
 * names. Only whole_emails and receipts have the same date; they change different tables, and it
 * does not matter which runs first. Files of this folder without a date are parts of migrations
 * that have run: a change there must leave the same tables and functions.
 *
 * A backup copies the files that every column named `path` names, as those of photos: no other
 * column may have that name.
 */
export const migrations: readonly Migration[] = [
  { name: '20261124200000_baseline', ...baseline },
  { name: '20261125090000_email_links', ...emailLinks },
  { name: '20261126090000_events', ...events },
  { name: '20261127070000_unconfirmed_messages', ...unconfirmedMessages },
  { name: '20261127090000_sent_forms', ...sentForms },
  { name: '20261127100000_whole_emails', ...wholeEmails },
  { name: '20261127100000_receipts', ...receipts },
  { name: '20261127110000_email_kinds', ...emailKinds },
  { name: '20261127120000_sender_standing', ...senderStanding },
  { name: '20261127130000_held_email_marks', ...heldEmailMarks },
  { name: '20261127180000_unused_tables', ...unusedTables },
  { name: '20261127190000_names', ...names },
  { name: '20261127200000_database_views', ...databaseViews },
  { name: '20261127210000_comments', ...comments },
  { name: '20261128020000_contact_hours', ...contactHours },
  { name: '20261128023000_first_impacts', ...firstImpacts },
  { name: '20261128030000_sign_in_codes', ...signInCodes },
]
