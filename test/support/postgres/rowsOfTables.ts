import { migrations } from '../../../migrations/index.js'
import { withDedicatedConnection } from '../../../src/platform/db/dedicatedConnection.js'
import { fillImpacts } from '../fillImpacts.js'

/**
 * The migration that makes the tables of version 1.0.0: it runs when there
 * is no one to wait for it.
 */
export const baseline = migrations[0]!.name

/** Fills what `migration` has made, as years of `incidents` reports would have. */
export async function fillAfter(migration: string, incidents: number): Promise<void> {
  const rows = migration === baseline ? baselineRows : (laterRows[migration] ?? [])
  if (rows.length === 0) return
  await withDedicatedConnection(async (client) => {
    for (const sql of rows) await client.query(sql.replaceAll('$1', String(incidents)))
    await client.query('analyze')
  })
}

/** SQL, `$1` in it for the number of incidents: rows as years of reports leave them. */
const baselineRows: readonly string[] = [
  `insert into towers (name) values ('North Tower'), ('South Tower')`,
  `insert into assets (tower_id, name, category) select 1 + n % 2, 'Lift ' || n, 'Lift' from generate_series(1, 100) n`,
  `insert into users (name, email, role, password_hash)
   select 'Person ' || n, 'person' || n || '@example.com', case when n <= 20 then 'manager' else 'resident' end, 'x'
   from generate_series(1, greatest(100, $1 / 50)) n`,
  `insert into incidents
     (title, description, severity, status, source, asset_id, reporter_id, reporter_label, reporter_email, is_anonymous,
      is_downtime, created_at, acknowledged_at, resolved_at, verified_at)
   select 'Incident ' || n, repeat('water ', 15), (array['low','medium','high','critical'])[1 + n % 4],
     case when n > $1 - 100 then 'open' when n % 50 = 0 then 'resolved' else 'verified' end,
     case when n % 10 = 0 then 'email' else 'web' end, 1 + n % 100,
     case when n % 10 = 0 then null else 2 + n % 90 end, case when n % 10 = 0 then 'Somebody' end,
     case when n % 10 = 0 then 'somebody' || n || '@example.org' end, n % 10 = 1, n % 4 = 3, at,
     case when n <= $1 - 100 then at + interval '1 hour' end, case when n <= $1 - 100 then at + interval '5 hours' end,
     case when n <= $1 - 100 and n % 50 <> 0 then at + interval '6 hours' end
   from generate_series(1, $1) n, lateral (select now() - ($1 - n) * interval '1 minute' as at) o`,
  `update incidents set merged_into_id = id - 1 where id % 200 = 8 and status = 'verified'`,
  `insert into incident_updates (incident_id, author_id, author_label, body, new_status, created_at)
   select i.id, case when i.id % 10 = 0 then null else 2 + i.id % 90 end, case when i.id % 10 = 0 then 'System' end,
     'It drips again', null, i.created_at + interval '10 minutes' from incidents i
   union all
   select i.id, 2 + i.id % 20, null, 'We are on it', 'acknowledged', i.acknowledged_at
   from incidents i where i.acknowledged_at is not null`,
  `insert into photos (incident_id, path, width, height, bytes)
   select id, id || '.jpg', 800, 600, 90000 from incidents where id % 4 = 0`,
  `insert into followers (incident_id, user_id) select i.id, 2 + (i.id + n) % 90
   from incidents i, generate_series(0, 1) n`,
  `insert into repair_costs (incident_id, amount_cents, incurred_on, created_by)
   select id, 12000, created_at, 2 from incidents where id % 20 = 0`,
  `insert into audit_entries (at, actor_type, actor_id, actor_name, action, entity, entity_id, via,
     affects_status, changes)
   select p.created_at, case when p.author_id is null then 'system' else 'user' end, p.author_id, 'Person',
     'incident.commented', 'incident', p.incident_id, case when p.author_id is null then 'email' else 'web' end,
     p.new_status is not null, jsonb_build_object('update', jsonb_build_object('after', p.id)) from incident_updates p`,
  `insert into outbox (kind, event, recipient_id, incident_id, sent_at)
   select 'mail', 'incident.created', 2 + id % 90, id, case when id <= $1 - 100 then created_at end from incidents`,
  `insert into webhook_subscriptions (url, secret, events) values ('https://example.com', 's', '{incident.created}')`,
  `insert into webhook_deliveries (subscription_id, event_id, event, body, claimed_at, finished_at, status)
   select 1, gen_random_uuid(), 'incident.created', repeat('{} ', 100), now(), now(), '200'
   from generate_series(1, $1 / 2) n`,
  `insert into sessions (id_hash, user_id, epoch, data, expires_at)
   select sha256(n::text::bytea), 2 + n % greatest(99, $1 / 50 - 1), 0, '{}', now() + interval '30 days'
   from generate_series(1, $1 / 10) n`,
  `insert into devices (token, platform, user_id) select 'token ' || id, 'ios', id from users`,
  `insert into idempotency_keys (caller, key, digest, made_id) select 'web', n, 'd', n
   from generate_series(1, $1 / 50) n`,
  `insert into throttles (key, points, expire) select 'k' || n, 1, 2e12 from generate_series(1, $1 / 50) n`,
  `insert into job_runs (job, via) select 'sweep', 'scheduler' from generate_series(1, $1 / 50) n`,
  `insert into account_tokens (user_id, purpose, token_hash, expires_at)
   select id, 'invite', sha256(id::text::bytea), now() from users`,
  `insert into internal_notes (incident_id, author_id, body)
   select id, 2, 'Called the company' from incidents where id % 10 = 0`,
  `insert into second_factors (user_id, secret, salt) select id, '\\x00', '\\x00' from users`,
  `insert into recovery_codes (user_id, code_hash) select id, sha256(id::text::bytea) from users`,
  `insert into known_devices (user_id, device_hash) select id, sha256(id::text::bytea) from users`,
  `insert into unfollows (incident_id, user_id) select id, 2 from incidents where id % 100 = 0`,
  `insert into mail_followers (address) select 'reader' || n || '@example.org' from generate_series(1, $1 / 50) n`,
  `insert into mail_follows (mail_follower_id, incident_id) select id, id from mail_followers`,
  `insert into maintenance_windows (asset_id, title, starts_at, ends_at)
   select id, 'Service', now(), now() + interval '1 hour' from assets`,
  `insert into maintenance_tellings (window_id, starts_at, told) select id, starts_at, 'ahead'
   from maintenance_windows`,
  `insert into merges (duplicate_id, survivor_id, update_id, merged_at, brought, status, joined, was_downtime)
   select i.id, i.merged_into_id, (select min(id) from incident_updates p where p.incident_id = i.merged_into_id),
     now(), '{}', 'open', false, false from incidents i where i.merged_into_id is not null`,
  `insert into identities (user_id, issuer, subject) select id, 'https://example.com', id from users`,
  `insert into dismissals (incident_id, status, impacts) select id, 'open', '[]' from incidents where id % 1000 = 7`,
  fillImpacts,
]

/** By a later migration that makes a table: rows that it has when the next one runs. */
const laterRows: Readonly<Record<string, readonly string[]>> = {
  '20261127100000_whole_emails': [
    `insert into whole_emails (incident_id, subject, text, received_at)
     select id, title, repeat('water ', 200), created_at from incidents where id % 10 = 0`,
  ],
  '20261125090000_email_links': [
    `insert into email_links (token_hash, purpose, user_id) select sha256((id + 1e6)::text::bytea), 'invite', id
     from users`,
  ],
}

/**
 * Tables that stay short however old a building is, and why; every other one is long,
 * and must be filled above.
 */
export const shortTables: Readonly<Record<string, string>> = {
  ...of('the building itself', [
    'properties',
    'building_identity',
    'towers',
    'units',
    'assets',
    'asset_tellings',
    'asset_notifications',
    'contacts',
    'maintenance_windows',
    'maintenance_exceptions',
    'feature_flags',
    'reply_templates',
    'webhook_subscriptions',
  ]),
  ...of('a row for each text of a view', ['database_views']),
  ...of('gone once it is sent', ['events', 'webhook_events', 'mail_events', 'email_events']),
  ...of('a thousand at most', [
    'held_mails',
    'held_emails',
    'held_photos',
    'held_email_photos',
    'unkept_mails',
    'dropped_emails',
  ]),
  ...of('kept for an hour, a day or two', [
    'staged_photos',
    'inbound_messages',
    'inbound_emails',
    'guest_reports',
    'pending_sign_ins',
  ]),
  ...of('empty since version 1.0.0', ['account_tokens', 'sign_in_links', 'mail_confirmations']),
  ...of('of the migrations', ['migrations', 'migrations_lock']),
}

function of(why: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]))
}
