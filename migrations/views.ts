import { readFileSync } from 'node:fs'

/**
 * The views and functions of the database, each after those it needs. The file views/NAME.sql is
 * the whole statement, run as it stands by the release step when its text has changed. A view only
 * gains columns, at its end, and a function keeps its arguments and columns: processes of the
 * version before still read them.
 */
const names = [
  'epoch_ms',
  'iso_text',
  'utc_text',
  'escaped_bytes',
  'is_staff',
  'current_users',
  'public_session_id',
  'invitable_users',
  'can_sign_up',
  'held_standing',
  'whole_email_authors',
  'named_units',
  'public_place_name',
  'is_counted',
  'is_waiting',
  'is_open',
  'is_placeless',
  'is_unanswered',
  'is_reopened',
  'is_unconfirmed',
  'is_in_hand',
  'listed_incidents',
  'is_by_resident',
  'timeline_entries',
  'latest_statement',
  'affected_people',
  'is_past_target',
  'incident_impact',
  'asset_impact_spans',
  'asset_records',
  'in_change',
  'sending_is_on',
  'incident_family',
  'wants_notification',
  'gather_key',
  'webhook_body',
  'notified_accounts',
  'ends_after',
  'window_dates',
] as const

export type DatabaseView = { name: string; statement: string }

export const databaseViews: readonly DatabaseView[] = names.map((name) => ({
  name,
  statement: readFileSync(new URL(`./views/${name}.sql`, import.meta.url), 'utf8').trim(),
}))
