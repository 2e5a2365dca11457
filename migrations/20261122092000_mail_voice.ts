import type { Knex } from 'knex'
import { inBatches } from './inBatches.js'

/** The service's own text on attachments it left out, by language: the beginnings of old entries. */
const said = [
  ['Attached to the email', 'Some attachments could not be taken in.'],
  ['Venía adjunto al correo', 'Algunos archivos adjuntos no se han podido añadir.'],
]

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/**
 * How each entry came in, and its staff-only part (decisions 7.3, 7.5): by mail without an account, else as
 * the audit log says. Names senders gave themselves are no longer shown (decision 2.10) or kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table incident_updates
      add column if not exists via text not null default 'web',
      add column if not exists author_email text,
      add column if not exists body_for_staff text,
      drop constraint if exists incident_updates_via_check,
      drop constraint if exists incident_updates_author_email_check,
      drop constraint if exists incident_updates_body_for_staff_check,
      add constraint incident_updates_via_check
        check (via in ('web', 'mobile', 'cron', 'email', 'cli', 'scheduler')) not valid,
      add constraint incident_updates_author_email_check check (char_length(author_email) <= 320) not valid,
      add constraint incident_updates_body_for_staff_check check (char_length(body_for_staff) <= 10000) not valid;
    comment on column incident_updates.author_email is 'Address of a mail''s sender who is no user; shown to staff only.';
    comment on column incident_updates.body_for_staff is 'What staff read instead of the body: names of files.';
    comment on column incident_updates.is_anonymous is
      'Shown without its author''s name: by the anonymous reporter, or a mail that may or may not be.';
    comment on column incident_updates.author_label is 'Who it is by when that is no user: the system, or a mail.';
  `)
  await knex.raw(`
    alter table incident_updates
      validate constraint incident_updates_via_check,
      validate constraint incident_updates_author_email_check,
      validate constraint incident_updates_body_for_staff_check
  `)
  const entries = { table: 'incident_updates', key: 'id' }
  await inBatches(
    knex,
    entries,
    (some) =>
      `update incident_updates set via = 'email' where ${some('id')} and author_id is null and via <> 'email'`,
  )
  await inBatches(
    knex,
    { table: 'audit_entries', key: 'id' },
    (some) => `
    update incident_updates p set via = 'email' from audit_entries e
    where ${some('e.id')} and e.action = 'incident.commented' and e.via = 'email'
      and p.via <> 'email' and p.id = (e.changes #>> '{update,after}')::integer`,
  )
  await inBatches(
    knex,
    entries,
    (some) => `
    update incident_updates p set via = 'mobile' from users m
    where ${some('p.id')} and m.id = p.author_id and m.is_mobile_reporter and p.via = 'web'`,
  )
  await inBatches(
    knex,
    { table: 'incidents', key: 'id' },
    (some) => `update incidents set reporter_label = null where ${some('id')} and reporter_label is not null`,
  )
  await knex.raw(`comment on column incidents.reporter_label is 'Not used any more.'`)
  for (const [beginning, instead] of said)
    await inBatches(
      knex,
      entries,
      (some) => `
      update incident_updates set body_for_staff = body, body = ?
      where ${some('id')} and author_id is null and author_label = 'System' and starts_with(body, ?)`,
      [instead!, beginning!],
    )
  await inBatches(
    knex,
    entries,
    (some) => `
    update incident_updates set author_label = 'By email'
    where ${some('id')} and author_id is null and body_for_staff is null and author_label is distinct from 'By email'`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update incident_updates set body = body_for_staff where body_for_staff is not null;
    alter table incident_updates drop column via, drop column author_email, drop column body_for_staff;
  `)
}
