import { type Migration, migrations } from '../../../../migrations/index.js'
import { type Knex, type Query, query } from '../database.js'
import { withDatabase } from '../pools.js'
import { makeViews, pendingViews } from './databaseViews.js'
import { withMigrationLock } from './migrationLock.js'
import { grantTo, keepSettings } from './roleRights.js'
import { rollBack, runPending, sinceBaseline } from './runMigrations.js'

/**
 * Migrates the schema to the newest version; returns the names of the migrations it ran, oldest
 * first. Processes may call it concurrently: one works, the others wait. A database that is newer
 * is left as it is.
 */
export async function migrate(list: readonly Migration[] = migrations): Promise<string[]> {
  return withMigrationLock((knex) => runAll(knex, list))
}

/**
 * Runs the pending migrations of the list and, once the tables are exactly those of this version,
 * what has changed of its views.
 */
async function runAll(knex: Knex, list: readonly Migration[]): Promise<string[]> {
  const ran = await runPending(knex, list)
  const { missing, unknown } = compareMigrations(await migrationsRun(query))
  if (missing.length === 0 && unknown.length === 0) await makeViews(knex)
  return ran
}

/**
 * Makes a database that ran the migrations `current` one of the earlier version that has `earlier`:
 * rolls back what that version doesn't have, then runs what is missing of its list, as the role of
 * `ownerUrl`. Common tables keep their rows, and the building its id. The process's database must
 * not be open.
 */
export async function migrateTo(
  ownerUrl: string,
  current: readonly string[],
  earlier: readonly string[],
): Promise<void> {
  const present = sinceBaseline(current)
  const wanted = sinceBaseline(earlier)
  if (present.join() === wanted.join()) return
  const firstDifference = present.findIndex((name, i) => name !== wanted[i])
  const unwanted = firstDifference < 0 ? [] : present.slice(firstDifference)
  await withMigrationDatabase(ownerUrl, async () => {
    if (unwanted.length > 0) await unmigrate(migrations.filter(({ name }) => unwanted.includes(name)))
    await migrate(migrations.filter(({ name }) => wanted.includes(name)))
  })
}

/**
 * Migrations of this version that are not among these, and those among these that it does not know.
 */
export function compareMigrations(ran: readonly string[]): { missing: string[]; unknown: string[] } {
  const names = sinceBaseline(ran)
  const known = migrations.map(({ name }) => name)
  return {
    missing: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
  }
}

/** Size of the pool beside the two connections of a migration. */
const connections = 2

/**
 * Migrates as the role of `ownerUrl` when it differs from the serving role, which then gets its
 * rights; so the application cannot change the audit log (decision 4.14). The process's database
 * must not be open.
 */
export async function migrateAs(ownerUrl: string, servingUrl: string): Promise<string[]> {
  const serving = await withMigrationDatabase(servingUrl, async () => {
    await keepSettings(query)
    return whoAndWhere()
  })
  return withMigrationDatabase(ownerUrl, async () => {
    const { database } = await whoAndWhere()
    if (database !== serving.database)
      throw new Error('DATABASE_URL and MIGRATION_DATABASE_URL must name the same database.')
    return withMigrationLock(async (knex) => {
      const ran = await runAll(knex, migrations)
      await grantTo(serving.role, query)
      return ran
    })
  })
}

async function whoAndWhere(): Promise<{ role: string; database: string }> {
  const [row] = await query<{ role: string; database: string }>(
    'select current_user as role, current_database() as database',
  )
  return row!
}

const withMigrationDatabase = <T>(url: string, work: () => Promise<T>) =>
  withDatabase(url, connections, work, { as: 'migrate' })

/** Rolls back these migrations, newest first. */
export async function unmigrate(list: readonly Migration[] = migrations): Promise<void> {
  await withMigrationLock((knex) => rollBack(knex, list))
}

/**
 * Number of migrations and views in the code that the database has not run; readiness wants 0.
 * Those of a newer version are not counted: what was there before works on. Reads only.
 */
export async function pendingMigrations(): Promise<number> {
  const [done, views] = await Promise.all([migrationsRun(query), pendingViews(query)])
  return migrations.filter(({ name }) => !done.includes(name)).length + views
}

/** The names of the migrations that a database has run, oldest first; none without their table. */
export async function migrationsRun(run: Query): Promise<string[]> {
  const [table] = await run(`select where to_regclass('public.migrations') is not null`)
  if (!table) return []
  const rows = await run<{ name: string }>('select name from public.migrations order by name')
  return rows.map(({ name }) => name)
}
