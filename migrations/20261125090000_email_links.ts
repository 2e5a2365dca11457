import type { Knex } from 'knex'

/**
 * Each statement is a transaction of its own: the copy goes through rows while no one waits for it.
 * Each bears being run again.
 */
export const transaction = false

/**
 * One table for every link in an email. `account_tokens`, `mail_confirmations` and `sign_in_links`
 * stay for processes of version 1.0.0, which go on with them until they are restarted; a trigger
 * hands on what those write. A later migration drops them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists email_links (
      token_hash bytea primary key,
      purpose text not null
        check (purpose in ('sign_in', 'sign_up', 'reset', 'invite', 'follow', 'answer', 'unsubscribe')),
      user_id integer references users on delete cascade,
      mail_follower_id integer references mail_followers on delete cascade,
      data jsonb not null default '{}',
      expires_at timestamptz,
      used_at timestamptz,
      created_at timestamptz not null default now(),
      check (num_nonnulls(user_id, mail_follower_id) = 1)
    );
    create index if not exists email_links_expiry on email_links (coalesce(expires_at, created_at));
    create index if not exists email_links_of_user on email_links (user_id);
    create index if not exists email_links_of_follower on email_links (mail_follower_id);
    comment on table email_links is 'Links in emails that act or say whom they are for.';
    comment on column email_links.token_hash is 'SHA-256 of what is in the address, which is kept nowhere.';
    comment on column email_links.data is 'What it is about, by purpose.';
    comment on column email_links.expires_at is 'Null until its email is written; infinity for ever.';`)
  await knex.raw(`
    create or replace function email_link_of_token() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'account_tokens' then
        insert into email_links (token_hash, purpose, user_id, expires_at)
          values (new.token_hash, new.purpose, new.user_id, new.expires_at) on conflict do nothing;
      else
        insert into email_links (token_hash, purpose, mail_follower_id, data, expires_at)
          values (new.token_hash, 'follow', new.mail_follower_id, jsonb_build_object('followed', new.followed),
            new.expires_at) on conflict do nothing;
      end if;
      return null;
    end $$`)
  for (const table of ['account_tokens', 'mail_confirmations'])
    await knex.raw(
      `create or replace trigger ${table}_copied after insert on ${table}
       for each row execute function email_link_of_token()`,
    )
  await knex.raw(`
    insert into email_links (token_hash, purpose, user_id, expires_at, created_at)
    select token_hash, purpose, user_id, expires_at, created_at from account_tokens
    where used_at is null and expires_at > now() on conflict do nothing`)
  await knex.raw(`
    insert into email_links (token_hash, purpose, mail_follower_id, data, expires_at)
    select token_hash, 'follow', mail_follower_id, jsonb_build_object('followed', followed), expires_at
    from mail_confirmations where expires_at > now() on conflict do nothing`)
}

/** Version 1.0.0 knows its own links alone. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger if exists account_tokens_copied on account_tokens;
    drop trigger if exists mail_confirmations_copied on mail_confirmations;
    drop function if exists email_link_of_token();
    drop table if exists email_links`)
}
