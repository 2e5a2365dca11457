import type { Change } from './change.js'

/**
 * Makes changes of the same kind wait for each other until their commit, so that counts taken
 * inside stay true.
 */
export async function oneAtATime(c: Change, kind: string): Promise<void> {
  await c.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [kind])
}
