import type { Knex } from 'knex'

/**
 * Builds an index while others read and write, in a migration with `transaction = false`; nothing
 * when it is there. A build that was killed leaves an invalid index: it is dropped and rebuilt.
 * `on`: table, columns and condition.
 */
export async function concurrentIndex(
  knex: Knex,
  { name, on, unique = false }: { name: string; on: string; unique?: boolean },
): Promise<void> {
  const { rows } = await knex.raw<{ rows: { valid: boolean }[] }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass(?)',
    [`public.${name}`],
  )
  if (rows[0]?.valid) return
  // It waits for all who began before, while no one waits for it.
  const limit = await knex.raw<{ rows: { text: string }[] }>(`select current_setting('lock_timeout') as text`)
  await knex.raw('set lock_timeout = 0')
  try {
    await knex.raw(`drop index concurrently if exists ${name}`)
    await knex.raw(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`)
  } finally {
    await knex.raw(`set lock_timeout = '${limit.rows[0]!.text}'`)
  }
}
