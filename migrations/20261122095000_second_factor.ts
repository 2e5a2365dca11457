import type { Knex } from 'knex'
import { inBatches } from './inBatches.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Second factors, sign-ins waiting for a code, when a session last proved its user, and known browsers. */
export async function up(knex: Knex): Promise<void> {
  // All of them in one statement: the first says that they are there, if this is run again after a kill.
  const { rows } = await knex.raw(`select where to_regclass('public.second_factors') is null`)
  if (rows.length > 0) await knex.raw(tables)
  await knex.raw(`
    alter table sessions add column if not exists authenticated_at timestamptz not null default now();
    comment on column sessions.authenticated_at is 'When its owner last gave password and code: some acts ask for it again after ten minutes.';
  `)
  await inBatches(
    knex,
    { table: 'sessions', key: 'user_id', atOnce: 200 },
    (some) => `
    update sessions set authenticated_at = created_at
    where ${some('user_id')} and authenticated_at <> created_at`,
  )
  await knex.raw(`
    alter table properties add column if not exists second_factor_required text not null default 'off'
      check (second_factor_required in ('off', 'staff'));
    comment on column properties.second_factor_required is 'staff: without a second factor, the office is closed to its people.';
  `)
}

const tables = `
    create table second_factors (
      user_id integer primary key references users on delete cascade,
      secret bytea not null,
      salt bytea not null,
      last_step bigint not null default 0,
      confirmed_at timestamptz,
      created_at timestamptz not null default now()
    );
    comment on column second_factors.secret is 'Of the time-based codes, encrypted under a key made of SESSION_SECRET: another SESSION_SECRET ends every second factor.';
    comment on column second_factors.salt is 'Of the hashes of its recovery codes.';
    comment on column second_factors.last_step is 'The newest half minute whose code was used: neither it nor an older one is accepted again.';
    comment on column second_factors.confirmed_at is 'Null until a right code was typed: only then is it asked for.';

    create table recovery_codes (
      user_id integer not null references second_factors on delete cascade,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    );
    comment on column recovery_codes.code_hash is 'Argon2id of the code, which is shown once.';

    create table pending_sign_ins (
      id_hash bytea primary key,
      user_id integer not null references users on delete cascade,
      epoch integer not null,
      next text,
      typed text,
      failures integer not null default 0,
      expires_at timestamptz not null
    );
    comment on table pending_sign_ins is 'Right passwords whose code is still asked for: no session, and good for nothing else.';
    comment on column pending_sign_ins.typed is 'The form that is filled in again after the sign-in, which its writer sent without a session.';
    create index pending_sign_ins_user on pending_sign_ins (user_id);
    create index pending_sign_ins_expiry on pending_sign_ins (expires_at);

    create table known_devices (
      user_id integer not null references users on delete cascade,
      device_hash bytea not null,
      last_seen_at timestamptz not null default now(),
      primary key (user_id, device_hash)
    );
    comment on column known_devices.device_hash is 'SHA-256 of the browser''s cookie and the user id: it tells nobody that two people share a browser.';
`

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table properties drop column second_factor_required;
    alter table sessions drop column authenticated_at;
    drop table known_devices, pending_sign_ins, recovery_codes, second_factors;
  `)
}
