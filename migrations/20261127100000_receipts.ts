import type { Knex } from 'knex'

/**
 * Residents get a receipt for a report of their own from now on. Those who get no email about
 * reports at all have said that they want none, before this one could be chosen.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `update users set notifications = notifications || '{"created.mail": false}'
     where role = 'resident' and notifications -> 'created.mail' is null
       and notifications @> '{"status.mail": false, "comment.mail": false, "escalated.mail": false, "merged.mail": false}'`,
  )
}

/** An older release does not read the setting. */
export async function down(): Promise<void> {}
