import type { Change } from './change.js'

/**
 * Makes changes of the same kind wait for each other until their commit, so that counts taken
 * inside stay true. `alsoIn100`: processes of version 1.0.0 lock this kind under another number,
 * and may still run during an upgrade.
 */
export async function oneAtATime(c: Change, kind: string, { alsoIn100 = false } = {}): Promise<void> {
  if (alsoIn100) await c.query('select pg_advisory_xact_lock(hashtext($1))', [kind])
  await c.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [kind])
}
