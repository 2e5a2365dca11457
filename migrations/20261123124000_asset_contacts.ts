import type { Knex } from 'knex'

/** Who looks after an asset (decision 7.25). The column is empty, so no row is read or written for it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table assets add column contact_id integer references contacts on delete set null;
    comment on column assets.contact_id is 'The contact that looks after it, such as the lift company.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table assets drop column contact_id')
}
