import type { Knex } from 'knex'

/** Whom an identity provider's subjects are here, and what it said at the sign-in of a session. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identities (
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

    alter table sessions
      add column identity_id integer references identities on delete set null,
      add column id_token bytea,
      add column second_factor boolean not null default false;
    comment on column sessions.identity_id is 'By which the session was begun; null: by a password.';
    comment on column sessions.id_token is 'Encrypted under a key made of SESSION_SECRET: the issuer asks for it when its owner signs out there, too.';
    comment on column sessions.second_factor is 'The issuer said that it asked for a second factor.';
    create index sessions_identity on sessions (identity_id) where identity_id is not null;

    alter table pending_sign_ins
      add column identity_id integer references identities on delete cascade,
      add column id_token bytea,
      add column authenticated_at timestamptz;
    comment on column pending_sign_ins.authenticated_at is 'When the issuer asked for the password; null: it did not say.';
    create index pending_sign_ins_identity on pending_sign_ins (identity_id) where identity_id is not null;

    alter table users add column password_open_until timestamptz;
    comment on column users.password_open_until is 'Until then staff may sign in by password although OIDC_ONLY closes that to them: set from the command line.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users drop column password_open_until;
    alter table pending_sign_ins drop column authenticated_at, drop column id_token, drop column identity_id;
    alter table sessions drop column second_factor, drop column id_token, drop column identity_id;
    drop table identities;
  `)
}
