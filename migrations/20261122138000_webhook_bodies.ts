import type { Knex } from 'knex'

/** The form of the bodies that a webhook subscription gets. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_subscriptions
      add column format text not null default 'caretaker' check (format in ('caretaker', 'slack', 'teams'))`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_subscriptions drop column format')
}
