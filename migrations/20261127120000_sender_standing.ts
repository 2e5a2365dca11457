import type { Knex } from 'knex'

/** Each statement is a transaction of its own, and bears being run again. */
export const transaction = false

const comments = {
  inbound_messages:
    'Whether the sender is proven: account (of an account), address (without an account), unproven. Null in rows of an earlier release: as standing says.',
  held_mails:
    'Whether the sender is proven: account (of an account), address (without an account), unproven. Null in rows of an earlier release: account when user_id is set.',
  internal_notes:
    'Of a note by email, whether its sender is proven: account (of an account), address (without an account), unproven. Null in rows of an earlier release: unproven.',
} as const

/** What earlier releases count by, and is written for them alone. */
const earlier = {
  'inbound_messages.standing':
    'For earlier releases, which count by it: proven is account, stranger is every other. Null for emails that were not taken in.',
  'held_mails.has_account':
    'For earlier releases, which count by it: whether the sender is proven and has an account.',
} as const

/**
 * Whether the sender of an email is proven, so that forged and proven emails are counted apart. The
 * release before this one leaves it null and goes on counting by `standing` and `has_account`,
 * which are still written for it: whoever is not proven is a stranger there.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [table, comment] of Object.entries(comments)) {
    const rule = `${table}_sender_standing_check`
    await knex.raw(`alter table ${table} add column if not exists sender_standing text`)
    await knex.raw(`comment on column ${table}.sender_standing is '${comment}'`)
    await knex.raw(`alter table ${table} drop constraint if exists ${rule}`)
    await knex.raw(
      `alter table ${table} add constraint ${rule} check (sender_standing in ('account', 'address', 'unproven')) not valid`,
    )
    await knex.raw(`alter table ${table} validate constraint ${rule}`)
  }
  for (const [column, comment] of Object.entries(earlier))
    await knex.raw(`comment on column ${column} is '${comment}'`)
}

export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(comments))
    await knex.raw(`alter table ${table} drop column if exists sender_standing`)
}
