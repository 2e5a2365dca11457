import type { Knex } from 'knex'

/** Feature flags, idempotency keys and throttle counters. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table feature_flags (
      name text primary key,
      enabled boolean not null default false,
      updated_at timestamptz not null default now()
    );
    insert into feature_flags (name) values ('ai_triage');

    create table idempotency_keys (
      caller text not null,
      key text not null check (char_length(key) between 1 and 255),
      digest text not null,
      made_id integer not null,
      created_at timestamptz not null default now(),
      primary key (caller, key)
    );
    comment on column idempotency_keys.made_id is 'Id of what the request made, in the table its address speaks of.';
    comment on table idempotency_keys is 'What a key made, written in the same transaction; forgotten after 24 hours.';
    create index idempotency_keys_age on idempotency_keys (created_at);

    create unlogged table throttles (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    comment on table throttles is 'Counters of the rate limiter; unlogged, because losing them in a crash forgives and costs nothing.';
    create index throttles_expire on throttles (expire);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table throttles, idempotency_keys, feature_flags')
}
