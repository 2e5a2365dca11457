import type { Knex } from 'knex'

/**
 * What the office takes back (decision 7.14): hidden texts and photos, and reports that were none; who sees flats and
 * when mails are public (7.13).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table incidents add column hidden_title text, add column hidden_description text,
      add column dismissed_at timestamptz,
      add constraint incidents_hidden check ((hidden_title is null) = (hidden_description is null)) not valid;
    alter table incident_updates add column hidden_body text, add column hidden_reason text,
      add constraint incident_updates_hidden check (hidden_reason is null or hidden_body is not null) not valid;
    alter table photos add column hidden_at timestamptz;
    create table dismissals (
      incident_id integer primary key references incidents on delete restrict,
      status text not null check (status in ('open', 'acknowledged', 'in_progress', 'resolved', 'verified')),
      acknowledged_at timestamptz,
      resolved_at timestamptz,
      verified_at timestamptz,
      closing_reason text,
      expected_back_at timestamptz,
      status_reason text,
      came_back_at timestamptz,
      unanswered_since timestamptz,
      impacts jsonb not null
    );
    alter table properties
      add column unit_visibility text not null default 'everybody'
        constraint properties_unit_visibility_check check (unit_visibility in ('everybody', 'signed_in', 'staff')),
      add column mail_visibility text not null default 'at_once'
        constraint properties_mail_visibility_check check (mail_visibility in ('at_once', 'when_sorted'));
    alter table held_mails drop constraint held_mails_reason_check;
    alter table held_mails add constraint held_mails_reason_check
      check (reason in ('domain', 'total', 'own_address', 'own_mail', 'bounce', 'automatic_reply', 'unsorted'));
  `)
  for (const [what, comment] of comments) await knex.raw(`comment on ${what} is '${comment}'`)
}

const comments: [what: string, comment: string][] = [
  [
    'column incidents.hidden_title',
    'Its title while that is hidden: only staff read it, title says so to others.',
  ],
  [
    'column incidents.dismissed_at',
    'The office found it to be no report: it is in no list and counts nowhere.',
  ],
  [
    'column incident_updates.hidden_body',
    'Its text while that is hidden: only staff read it, body is empty.',
  ],
  ['column photos.hidden_at', 'Shown to staff alone from then on.'],
  ['table dismissals', 'What a dismissed incident was before, so that it can be undone.'],
  ['column dismissals.impacts', 'Its rows of asset_impacts, which do not count while it is dismissed.'],
  ['column properties.unit_visibility', 'Who reads which flat an incident is about; others read its tower.'],
  [
    'column properties.mail_visibility',
    'Whether what comes by mail is public before the office has sorted it.',
  ],
]

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update incidents set title = hidden_title, description = hidden_description where hidden_title is not null;
    update incident_updates set body = hidden_body, status_reason = hidden_reason where hidden_body is not null;
    update incidents i set status = d.status, acknowledged_at = d.acknowledged_at, resolved_at = d.resolved_at,
      verified_at = d.verified_at, closing_reason = d.closing_reason, expected_back_at = d.expected_back_at,
      status_reason = d.status_reason, came_back_at = d.came_back_at, unanswered_since = d.unanswered_since
    from dismissals d where d.incident_id = i.id;
    insert into asset_impacts (incident_id, asset_id, impact, started_at, ended_at)
    select d.incident_id, r."assetId", r.impact, to_timestamp(r.start / 1000.0), to_timestamp(r."end" / 1000.0)
    from dismissals d, jsonb_to_recordset(d.impacts) as r ("assetId" integer, impact text, start float8, "end" float8);
    drop table dismissals;
    alter table incidents drop column hidden_title, drop column hidden_description, drop column dismissed_at;
    alter table incident_updates drop column hidden_body, drop column hidden_reason;
    alter table photos drop column hidden_at;
    alter table properties drop column unit_visibility, drop column mail_visibility;
    update held_mails set reason = 'total' where reason = 'unsorted';
    alter table held_mails drop constraint held_mails_reason_check;
    alter table held_mails add constraint held_mails_reason_check
      check (reason in ('domain', 'total', 'own_address', 'own_mail', 'bounce', 'automatic_reply'));
  `)
}
