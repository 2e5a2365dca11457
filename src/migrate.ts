import { type Migration, migrations } from '../migrations/index.js'
import { closeDatabase, connection, database, type Knex, openDatabase, query } from './database.js'
import { grantTo } from './migrate/grants.js'

export { ownsAudit } from './migrate/grants.js'

/** Any constant works, as long as every version of Caretaker uses the same one. */
const migrationLock = 726_001

const source = {
  getMigrations: async () => [...migrations],
  getMigrationName: (migration: Migration) => migration.name,
  getMigration: async ({ up, down }: Migration) => ({ up: patient(up), down: patient(down) }),
}

const settings = { migrationSource: source, tableName: 'migrations' } as Knex.MigratorConfig

/**
 * Migrates the schema to the newest version; returns the names of the migrations it ran, oldest first.
 * Processes may call it concurrently: one works, the others wait.
 */
export async function migrate(list: readonly Migration[] = migrations): Promise<string[]> {
  return alone(() => latest(list))
}

/**
 * Takes back all migrations and runs these, as the role of `ownerUrl`: the tables of an earlier version, empty. The
 * process's database must not be open.
 */
export async function migrateAnew(ownerUrl: string, names: readonly string[]): Promise<void> {
  await using(ownerUrl, async () => {
    await unmigrate()
    await migrate(migrations.filter(({ name }) => names.includes(name)))
  })
}

/** Migrations of this version that are not among these, and those among these that it does not know. */
export function compareMigrations(names: readonly string[]): { missing: string[]; unknown: string[] } {
  const known = migrations.map(({ name }) => name)
  return {
    missing: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
  }
}

/** Connections of a migration: one holds the lock, the others work. */
const connections = 4

/**
 * Migrates as the role of `ownerUrl` when it differs from the serving role, which then gets its rights; so the
 * application cannot change the audit log (decision 4.14). The process's database must not be open.
 */
export async function migrateAs(ownerUrl: string, servingUrl: string): Promise<string[]> {
  if (ownerUrl === servingUrl) return using(ownerUrl, () => migrate())
  const serving = await using(servingUrl, whoAndWhere)
  return using(ownerUrl, async () => {
    const { database } = await whoAndWhere()
    if (database !== serving.database)
      throw new Error('DATABASE_URL and MIGRATION_DATABASE_URL name two databases; they must name the same.')
    return alone(async () => {
      const ran = await latest(migrations)
      await grantTo(serving.role, query)
      return ran
    })
  })
}

async function latest(list: readonly Migration[]): Promise<string[]> {
  const migrationSource = { ...source, getMigrations: async () => [...list] }
  const [, ran] = (await database().migrate.latest({ ...settings, migrationSource })) as [number, string[]]
  return ran
}

async function whoAndWhere(): Promise<{ role: string; database: string }> {
  const [row] = await query<{ role: string; database: string }>(
    'select current_user as role, current_database() as database',
  )
  return row!
}

async function using<T>(url: string, work: () => Promise<T>): Promise<T> {
  openDatabase(url, connections)
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}

/** Rolls back every migration, newest first, for the tests of `down`. */
export async function unmigrate(): Promise<void> {
  await alone(async () => database().migrate.rollback(settings, true))
}

/** Number of migrations in the code that the database has not run; readiness wants 0. Reads only. */
export async function pendingMigrations(): Promise<number> {
  const [table] = await query(`select where to_regclass('public.migrations') is not null`)
  const rows = table ? await query<{ name: string }>('select name from public.migrations') : []
  const done = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name)).length
}

/**
 * Runs `work` under a lock that ends with its transaction, also when the process is killed. Knex's own lock row
 * outlives a kill, so the holder of this lock may clear it.
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

/** A migration may run long but must not wait long for a lock: readers would queue behind it. */
function patient(run: Migration['up']): Migration['up'] {
  return async (knex) => {
    await knex.raw(`set local statement_timeout = 0; set local lock_timeout = '10s'`)
    await run(knex)
  }
}
