import type { Knex } from 'knex'

/** Each statement is a transaction of its own, and bears being run again. */
export const transaction = false

/**
 * The code beside a link that signs in, written with its email. Sign-ins that processes of the
 * version before begin count as by a password, as those processes count them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table email_links add column if not exists code_hash bytea,
    add column if not exists code_tries integer not null default 0`)
  await knex.raw(
    'alter table pending_sign_ins add column if not exists by_password boolean not null default true',
  )
  for (const [column, comment] of Object.entries(comments))
    await knex.raw(`comment on column ${column} is '${comment}'`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table pending_sign_ins drop column if exists by_password')
  await knex.raw('alter table email_links drop column if exists code_hash, drop column if exists code_tries')
}

const comments: Readonly<Record<string, string>> = {
  'email_links.code_hash':
    'HMAC of the six digits beside the link, under a key made of SESSION_SECRET. Null without a code.',
  'email_links.code_tries': 'Codes tried on the link: after a few only the link itself still works.',
  'pending_sign_ins.by_password':
    'It was begun by a password, which counts such sign-ins: a right code takes one back.',
}
