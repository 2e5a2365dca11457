import { setTimeout as sleep } from 'node:timers/promises'
import { beforeBaseline } from '../../../../migrations/beforeBaseline.js'
import { type Migration, migrations } from '../../../../migrations/index.js'
import { inSnapshot, type Knex } from '../database.js'

/**
 * Throws when a pooler shares the migration's connection between transactions: what is set on it
 * for statements that stand alone, such as no time limit, would stay behind on connections that
 * others are lent.
 */
async function requireOwnConnection(knex: Knex): Promise<void> {
  const own = await backendOf(knex)
  const shared = await inSnapshot(async (query) => {
    const [other] = await query<{ pid: number }>('select pg_backend_pid() as pid')
    // The pooler lends this transaction the server's process that was ours, or us another one
    // meanwhile.
    return other!.pid === own || (await backendOf(knex)) !== own
  })
  if (shared)
    throw new Error(
      'This connection goes through a pooler. To migrate, set MIGRATION_DATABASE_URL to connect to PostgreSQL directly.',
    )
}

/** The server's process that answers. */
async function backendOf(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/**
 * How long a migration waits for a lock, and how long it is tried again before the release fails.
 */
type Patience = { lock: string; tries: number; pause: number }

/**
 * Readers queue behind a lock that is waited for, and wait 3 s themselves: short waits and many
 * tries, for three minutes in all. A vacuum under way gives up its lock after one second.
 */
const usual: Patience = { lock: '2s', tries: 60, pause: 1_000 }

/**
 * SQLSTATEs: a lock was not to be had in time, a deadlock, or a pooler lent a connection with
 * limits of its own.
 */
const worthAnotherTry = new Set(['55P03', '40P01', '57014'])

const baseline = migrations[0]!.name

/** A database of a version before 1.0.0 that did not run all of its steps; nothing was changed. */
export class BeforeBaseline extends Error {
  constructor(missing: number) {
    super(
      `This database was made by a version before 1.0.0 and lacks ${missing} of its steps. Run "npm run migrate" of commit 7c78cff0 first, then of this version.`,
    )
  }
}

/**
 * The migrations that a database ran, without the steps before version 1.0.0: all of them together
 * are the baseline (decision 8.8). Throws BeforeBaseline when it ran only some of them.
 */
export function sinceBaseline(names: readonly string[]): string[] {
  const former = names.filter((name) => beforeBaseline.includes(name))
  const since = names.filter((name) => !beforeBaseline.includes(name))
  if (former.length === 0 || since.includes(baseline)) return since
  if (former.length < beforeBaseline.length) {
    throw new BeforeBaseline(beforeBaseline.length - former.length)
  }
  return [baseline, ...since]
}

/**
 * Notes the baseline in a database that ran every step before it. Their names stay: the version
 * before stays ready until it is restarted, and can be rolled back to. Throws BeforeBaseline.
 */
async function takeOverBaseline(knex: Knex): Promise<void> {
  if (!(await knex.schema.withSchema('public').hasTable('migrations'))) return
  const rows = (await knex('public.migrations').select('name')) as { name: string }[]
  const names = rows.map(({ name }) => name)
  if (!sinceBaseline(names).includes(baseline) || names.includes(baseline)) return
  await knex('public.migrations').insert({ name: baseline, batch: 1, migration_time: new Date() })
}

/**
 * Runs what the database has not yet, oldest first, each in a transaction of its own with its entry
 * in the list, or outside of one when it says so. Returns their names. Throws the first failure,
 * when the ones before have stayed.
 */
export async function runPending(
  knex: Knex,
  list: readonly Migration[],
  patience: Patience = usual,
): Promise<string[]> {
  await takeOverBaseline(knex)
  const settings = settingsFor(list, patience)
  // Knex's lock row outlives a kill; the holder of our lock may clear it.
  await again(patience, () => knex.migrate.forceFreeMigrationsLock(settings))
  const ran: string[] = []
  for (;;) {
    const [, [name]] = (await again(patience, () => knex.migrate.up(settings))) as [number, string[]]
    if (name === undefined) return ran
    ran.push(name)
  }
}

/** Takes back every migration of the list, newest first. */
export async function rollBack(knex: Knex, list: readonly Migration[]): Promise<void> {
  await knex.migrate.rollback(settingsFor(list, usual), true)
}

function settingsFor(list: readonly Migration[], { lock }: Patience): Knex.MigratorConfig {
  const limited = (run: Migration['up'], transaction: boolean) => async (knex: Knex) => {
    if (transaction) {
      await knex.raw(`set local statement_timeout = 0; set local lock_timeout = '${lock}'`)
      return run(knex)
    }
    await requireOwnConnection(knex)
    await knex.raw(`set statement_timeout = 0; set lock_timeout = '${lock}'`)
    try {
      await run(knex)
    } finally {
      await knex.raw('reset statement_timeout; reset lock_timeout')
    }
  }
  return {
    tableName: 'migrations',
    // A database that a newer version has migrated has more than this list, and still works.
    disableMigrationsListValidation: true,
    migrationSource: {
      getMigrations: async () => [...list],
      getMigrationName: (migration: Migration) => migration.name,
      getMigration: async ({ up, down, transaction = true }: Migration) => ({
        up: limited(up, transaction),
        down: limited(down, transaction),
        config: { transaction },
      }),
    },
  } as Knex.MigratorConfig
}

async function again<T>({ tries, pause }: Patience, act: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await act()
    } catch (error) {
      if (left <= 1 || !worthAnotherTry.has(String((error as { code?: unknown }).code))) throw error
      await sleep(pause)
    }
  }
}
