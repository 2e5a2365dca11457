import type { Change } from './change.js'

/**
 * Serialises changes of the same kind until their commit, so that counts taken inside stay true.
 */
export async function oneAtATime(c: Change, kind: string): Promise<void> {
  await c.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [kind])
}
