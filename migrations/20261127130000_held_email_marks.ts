import type { Knex } from 'knex'

/** Each statement is a transaction of its own, and bears being run again. */
export const transaction = false

/** The mark by which an email was recognised, so that staff see why it is ignored or held. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table held_mails add column if not exists mark text')
  await knex.raw(
    `comment on column held_mails.mark is
      'The header or the part of the subject that says what kind of email it is, such as auto-submitted: auto-replied. Null without one.'`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table held_mails drop column if exists mark')
}
