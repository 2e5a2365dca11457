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

/*
 * The numbers of all other advisory locks, in one place so that no two are the same. Every version
 * of Caretaker has these numbers, because two versions may use one server.
 */

/**
 * Takes a lock until the end of the transaction, unless another has it: to migrate a database, and
 * to restore an archive into one. Without a parameter: a statement with one keeps its snapshot, for
 * whose end an index built concurrently waits, for ever.
 */
export const tryLockStatements = {
  migrations: 'select pg_try_advisory_xact_lock(726001) as got',
  restore: 'select pg_try_advisory_xact_lock(726003) as got',
} as const

export const advisoryLocks = {
  /** One process adds the demo building. */
  demo: 726_002,
  /** One building is made on a server: each takes a port. */
  newBuilding: 726_004,
} as const
