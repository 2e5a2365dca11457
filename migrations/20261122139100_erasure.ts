import type { Knex } from 'knex'

/** People who are erased (decision 7.28): their row stays for what they did, without anything that tells who they were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users add column erased_at timestamptz,
      add constraint users_erased check (erased_at is null or (not active and password_hash is null and unit_id is null)) not valid;
    comment on column users.erased_at is 'Since when nothing here tells who it was.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop constraint users_erased, drop column erased_at')
}
