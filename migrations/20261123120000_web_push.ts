import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/** Browsers that get push messages: devices whose token is the address their push service gave them (decision 4.10). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table devices
      add column if not exists p256dh text,
      add column if not exists auth text,
      add column if not exists server_key text,
      add column if not exists user_agent text,
      add column if not exists browser_hash bytea,
      add column if not exists session_hash bytea references sessions (id_hash) on update cascade on delete cascade,
      drop constraint if exists devices_platform_check,
      drop constraint if exists devices_of_browsers,
      add constraint devices_platform_check check (platform in ('ios', 'android', 'browser')) not valid,
      add constraint devices_of_browsers check (
        case when platform = 'browser'
          then num_nulls(p256dh, auth, server_key, user_agent, browser_hash) = 0
          else num_nonnulls(p256dh, auth, server_key, user_agent, browser_hash, session_hash) = 0
        end
      ) not valid;
    comment on column devices.p256dh is 'The browser''s public key, that messages to it are encrypted for.';
    comment on column devices.auth is 'The secret the browser shares with us.';
    comment on column devices.server_key is 'Our public key it subscribed with: its push service takes messages signed by no other.';
    comment on column devices.browser_hash is 'SHA-256 of the browser''s cookie.';
    comment on column devices.session_hash is 'The session it is signed in with, which takes it along when it is ended; null once that has run out.';
  `)
  await knex.raw(
    'alter table devices validate constraint devices_platform_check, validate constraint devices_of_browsers',
  )
  await concurrentIndex(knex, {
    name: 'devices_of_browser',
    on: 'devices (browser_hash) where browser_hash is not null',
  })
  await concurrentIndex(knex, {
    name: 'devices_of_session',
    on: 'devices (session_hash) where session_hash is not null',
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from devices where platform = 'browser';
    alter table devices
      drop constraint devices_of_browsers,
      drop constraint devices_platform_check,
      add constraint devices_platform_check check (platform in ('ios', 'android')),
      drop column p256dh, drop column auth, drop column server_key, drop column user_agent,
      drop column browser_hash, drop column session_hash;
  `)
}
