import type { Knex } from 'knex'

/** What guests send before they have said who they are, and links that sign in by mail (decision 7.15). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table guest_reports (
      id uuid primary key default gen_random_uuid(),
      browser_hash bytea not null,
      form_key text not null check (char_length(form_key) <= 255),
      digest text not null,
      fields jsonb not null,
      report jsonb not null,
      user_id integer references users on delete cascade,
      kept_at timestamptz not null,
      unique (browser_hash, form_key)
    );
    comment on table guest_reports is 'Reports typed before a sign-in: kept an hour for the browser that sent them.';
    comment on column guest_reports.browser_hash is 'SHA-256 of the secret in a cookie of that browser.';
    comment on column guest_reports.user_id is 'Who signed in and sent it.';
    create index guest_reports_age on guest_reports (kept_at);
    create index guest_reports_of_user on guest_reports (user_id) where user_id is not null;

    alter table staged_photos
      alter column user_id drop not null,
      add column browser_hash bytea,
      add constraint staged_photos_owner_check check (num_nonnulls(user_id, browser_hash) = 1);
    create index staged_photos_of_browser on staged_photos (browser_hash) where browser_hash is not null;

    create table sign_in_links (
      id uuid primary key default gen_random_uuid(),
      user_id integer not null references users on delete cascade,
      browser_hash bytea not null,
      next text,
      typed text,
      mailed_at timestamptz,
      used_at timestamptz,
      created_at timestamptz not null
    );
    comment on table sign_in_links is 'Links that sign in by mail. The token is the id, sealed with the secret of the server.';
    create index sign_in_links_age on sign_in_links (created_at);
    create index sign_in_links_of_user on sign_in_links (user_id);

    alter table mail_follows add column by_choice boolean not null default false;
    comment on column mail_follows.by_choice is 'Confirmed by a button: of an incident, they count as affected.';

    alter table properties add column office_phone text not null default '' check (char_length(office_phone) <= 50);
    comment on column properties.office_phone is 'For people without an account; everybody may read it.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table properties drop column office_phone;
    alter table mail_follows drop column by_choice;
    drop table sign_in_links, guest_reports;
    delete from staged_photos where user_id is null;
    alter table staged_photos drop column browser_hash, alter column user_id set not null;
  `)
}
