import type { Knex } from 'knex'

/** Each statement is a transaction of its own, and bears being run again. */
export const transaction = false

const earlier = [
  'sender',
  'domain',
  'total',
  'timeline',
  'unsorted',
  'reply',
  'own_address',
  'own_mail',
  'bounce',
  'automatic_reply',
]

/** Emails marked as spam wait for the office, and answers to invitations are ignored. */
export async function up(knex: Knex): Promise<void> {
  await allowReasons(knex, [...earlier, 'spam', 'calendar'])
}

/** Such emails stay with the reasons that come closest. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`update held_mails set reason = 'unsorted' where reason = 'spam'`)
  await knex.raw(`update held_mails set reason = 'automatic_reply' where reason = 'calendar'`)
  await allowReasons(knex, earlier)
}

/** The new rule is checked before the old one goes, while others read and write. */
async function allowReasons(knex: Knex, reasons: readonly string[]): Promise<void> {
  const list = reasons.map((reason) => `'${reason}'`).join(', ')
  await knex.raw('alter table held_mails drop constraint if exists held_mails_reason_check_new')
  await knex.raw(
    `alter table held_mails add constraint held_mails_reason_check_new check (reason in (${list})) not valid`,
  )
  await knex.raw('alter table held_mails validate constraint held_mails_reason_check_new')
  await knex.raw('alter table held_mails drop constraint if exists held_mails_reason_check')
  await knex.raw(
    'alter table held_mails rename constraint held_mails_reason_check_new to held_mails_reason_check',
  )
}
