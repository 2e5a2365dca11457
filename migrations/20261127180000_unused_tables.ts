import type { Knex } from 'knex'

/**
 * Each statement is a transaction of its own: while rows are deleted, no one waits for the lock
 * that another statement needs.
 */
export const transaction = false

/**
 * Version 1.0.0 still deletes from these, and neither reads nor writes them. A later migration may
 * drop them once no process of 1.0.0 can run any more.
 */
const emptied = ['account_tokens', 'mail_confirmations', 'sign_in_links']

/**
 * Leaves behind what served commits before version 1.0.0. `webhook_events`, and the copies of links
 * that those commits wrote, are used by no released version.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists webhook_events')
  await knex.raw('drop trigger if exists account_tokens_copied on account_tokens')
  await knex.raw('drop trigger if exists mail_confirmations_copied on mail_confirmations')
  await knex.raw('drop function if exists email_link_of_token()')
  for (const table of emptied) {
    await knex.raw(`delete from ${table}`)
    await knex.raw(`comment on table ${table} is 'Empty, for version 1.0.0, which deletes from it.'`)
  }
}

/** What was deleted serves no version to which one goes back. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('comment on table account_tokens is null')
  await knex.raw(`comment on table mail_confirmations is 'Links that begin to follow by mail.'`)
  await knex.raw(
    `comment on table sign_in_links is 'Links that sign in by mail. The token is the id, sealed with the secret of the server.'`,
  )
}
