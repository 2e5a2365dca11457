import type { Knex } from 'knex'

/**
 * When contacts can be reached and who sees them, and the number for fire and injury. All have
 * defaults, because the release before goes on writing these tables.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table contacts
      add column is_public boolean not null default false,
      add column hours_weekdays text not null default '',
      add column hours_saturday text not null default '',
      add column hours_sunday text not null default '',
      add constraint contacts_hours_check check (
        greatest(char_length(hours_weekdays), char_length(hours_saturday), char_length(hours_sunday)) <= 100
      ) not valid;
    alter table properties
      add column emergency_number text not null default '',
      add constraint properties_emergency_number_check check (emergency_number ~ '^[0-9]{0,6}$') not valid;
    comment on column contacts.is_public is
      'Shown on the pages of its assets to everyone, otherwise to people with an account.';
    comment on column contacts.hours_weekdays is
      'Monday to Friday on the building''s clock, as "08:00-12:00, 13:00-17:00"; all three empty: not known.';
    comment on column properties.emergency_number is
      'The public number for fire and injury; empty: the usual one where the time zone is.'`)
  await knex.raw('alter table contacts validate constraint contacts_hours_check')
  await knex.raw('alter table properties validate constraint properties_emergency_number_check')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table contacts drop column is_public, drop column hours_weekdays, drop column hours_saturday,
      drop column hours_sunday;
    alter table properties drop column emergency_number`)
}
