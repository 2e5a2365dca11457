import { type Migration, migrations } from '../migrations/index.js'
import { connection, database, type Knex } from './database.js'

/** Any constant will do, as long as every version of Caretaker takes the same one. */
const migrationLock = 726_001

const source = {
  getMigrations: async () => [...migrations],
  getMigrationName: (migration: Migration) => migration.name,
  getMigration: async ({ up, down }: Migration) => ({ up: patient(up), down: patient(down) }),
}

const settings = { migrationSource: source, tableName: 'migrations' } as Knex.MigratorConfig

/**
 * Brings the schema to the newest version; returns the names of the migrations it ran, oldest first.
 * Several processes may call it at once: one works, the others wait and find nothing left to do.
 */
export async function migrate(): Promise<string[]> {
  return alone(async () => {
    const [, ran] = (await database().migrate.latest(settings)) as [number, string[]]
    return ran
  })
}

/** Takes back every migration, newest first: what tests of `down` do. */
export async function unmigrate(): Promise<void> {
  await alone(async () => database().migrate.rollback(settings, true))
}

/** How many migrations this code knows that the database has not seen; readiness wants 0. */
export async function pendingMigrations(): Promise<number> {
  const [, pending] = (await database().migrate.list(settings)) as [unknown[], unknown[]]
  return pending.length
}

/**
 * Runs `work` while holding a lock that ends with its transaction, also when the process is killed.
 * Knex's own lock row outlives a kill, so whoever holds ours may clear it.
 */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const holder = await connection()
  try {
    await holder.query(`begin; set local lock_timeout = '120s'; set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = 0`)
    await holder.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await database().migrate.forceFreeMigrationsLock(settings)
    return await work()
  } finally {
    await holder.query('rollback').catch(() => {})
    holder.release()
  }
}

/** A migration may take its time, but never queues behind a lock for long: readers would queue behind it. */
function patient(run: Migration['up']): Migration['up'] {
  return async (knex) => {
    await knex.raw(`set local statement_timeout = 0; set local lock_timeout = '10s'`)
    await run(knex)
  }
}
