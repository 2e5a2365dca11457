import type { Knex } from 'knex'

/** The record of the views and functions in migrations/views that this database has. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists database_views (
      name text not null,
      digest text not null,
      statement text not null,
      made_at timestamptz not null default clock_timestamp(),
      primary key (name, digest)
    );
    comment on table database_views is
      'Every text of a view or function that was run here; the latest of a name is in force.';
    comment on column database_views.digest is 'SHA-256 of the statement, in hexadecimal.'`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists database_views')
}
