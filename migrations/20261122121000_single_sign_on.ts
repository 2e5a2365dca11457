import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Whom an identity provider's subjects are here, and what it said at the sign-in of a session. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists identities (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      issuer text not null,
      subject text not null,
      email text,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      unique (issuer, subject),
      unique (user_id, issuer)
    );
    comment on table identities is 'The account that signs in as this subject of this OpenID Connect issuer.';
    comment on column identities.email is 'The address the issuer named when it was linked, for its owner to recognise it by.';
  `)
  await knex.raw(`
    alter table sessions
      add column if not exists identity_id integer references identities on delete set null,
      add column if not exists id_token bytea,
      add column if not exists second_factor boolean not null default false;
    comment on column sessions.identity_id is 'By which the session was begun; null: by a password.';
    comment on column sessions.id_token is 'Encrypted under a key made of SESSION_SECRET: the issuer asks for it when its owner signs out there, too.';
    comment on column sessions.second_factor is 'The issuer said that it asked for a second factor.';
  `)
  await knex.raw(`
    alter table pending_sign_ins
      add column if not exists identity_id integer references identities on delete cascade,
      add column if not exists id_token bytea,
      add column if not exists authenticated_at timestamptz;
    comment on column pending_sign_ins.authenticated_at is 'When the issuer asked for the password; null: it did not say.';
  `)
  await knex.raw(`
    alter table users add column if not exists password_open_until timestamptz;
    comment on column users.password_open_until is 'Until then staff may sign in by password although OIDC_ONLY closes that to them: set from the command line.';
  `)
  await concurrentIndex(knex, {
    name: 'sessions_identity',
    on: 'sessions (identity_id) where identity_id is not null',
  })
  await concurrentIndex(knex, {
    name: 'pending_sign_ins_identity',
    on: 'pending_sign_ins (identity_id) where identity_id is not null',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users drop column if exists password_open_until;
    alter table pending_sign_ins drop column if exists authenticated_at, drop column if exists id_token, drop column if exists identity_id;
    alter table sessions drop column if exists second_factor, drop column if exists id_token, drop column if exists identity_id;
    drop table if exists identities;
  `)
}
