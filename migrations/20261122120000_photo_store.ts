import type { Knex } from 'knex'

/** What tells this building from every other, so that a photo store can belong to it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table building_identity (
      id integer primary key default 1 check (id = 1),
      building_id uuid not null default gen_random_uuid()
    );
    comment on table building_identity is 'One row. The photo store holds the same id: a sweep of another building''s photos is refused.';
    insert into building_identity default values;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table building_identity')
}
