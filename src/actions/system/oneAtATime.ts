import type { Change } from '../../change.js'

/** Lets changes of the same kind pass one after the other until they are stored: what is counted in one stays true. */
export async function oneAtATime(c: Change, kind: string): Promise<void> {
  await c.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [kind])
}
