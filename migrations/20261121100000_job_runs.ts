import type { Knex } from 'knex'

/** When each job ran, how long, and what it did; also limits a scheduled job to once a period. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table job_runs (
      id bigint generated always as identity primary key,
      job text not null,
      period text,
      via text not null check (via in ('cron', 'cli', 'scheduler')),
      started_at timestamptz not null default now(),
      finished_at timestamptz,
      result jsonb,
      error text check (char_length(error) <= 500),
      unique (job, period)
    );
    comment on column job_runs.period is 'What a scheduled run is for; two schedulers cannot both have it. Null for runs by hand.';
    create index job_runs_latest on job_runs (job, id desc);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table job_runs')
}
