import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, migrations } from '../../../../migrations/index.js'
import { errorCode } from '../../process/databaseErrors.js'
import { inSnapshot, type Knex } from '../database.js'
import { dropViews } from './databaseViews.js'

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
const lockPatience: Patience = { lock: '2s', tries: 60, pause: 1_000 }

/** SQLSTATEs: no lock in time, a deadlock, or a pooler's connection with limits of its own. */
const worthAnotherTry = new Set(['55P03', '40P01', '57014'])

const baseline = migrations[0]!.name

/**
 * The migrations that a database ran, without those of the commits before version 1.0.0: that
 * version took such databases over, and left the names of steps that its baseline holds.
 */
export function sinceBaseline(names: readonly string[]): readonly string[] {
  return names.includes(baseline) ? names.filter((name) => name >= baseline) : names
}

/** Throws for a database that has tables, but did not begin with our baseline. Changes nothing. */
async function requireOurs(knex: Knex): Promise<void> {
  // Tables of extensions may stand in any database. Other programs have a list of migrations, too,
  // with other columns.
  const { rows } = await knex.raw<{ rows: { table: string }[] }>(`
    select relname as table from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname not in ('migrations', 'migrations_lock')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname limit 1`)
  if (rows[0] === undefined) return
  const hasList = await knex.schema.withSchema('public').hasTable('migrations')
  const listed = hasList
    ? await knex.raw<{ rows: object[] }>(
        `select from public.migrations as one where to_jsonb(one)->>'name' = ?`,
        [baseline],
      )
    : { rows: [] }
  if (listed.rows.length > 0) return
  throw new Error(
    `This database has tables (${rows[0].table}), but not those of Caretaker 1.0.0 or newer, and was left as it is: ` +
      'set DATABASE_URL to an empty database or, if an earlier commit of Caretaker made this one, first run ' +
      'npm run migrate of version 1.0.0.',
  )
}

/**
 * Runs what the database has not yet, oldest first, each in a transaction of its own with its entry
 * in the list, or outside of one when it says so. Returns their names. Throws the first failure,
 * when the ones before have stayed.
 */
export async function runPending(
  knex: Knex,
  list: readonly Migration[],
  patience: Patience = lockPatience,
): Promise<string[]> {
  if (list.some(({ name }) => name === baseline)) await requireOurs(knex)
  const settings = settingsFor(list, patience)
  // Knex's lock row outlives a kill; the holder of our lock may clear it.
  await retryWhileLocked(patience, () => knex.migrate.forceFreeMigrationsLock(settings))
  const ran: string[] = []
  for (;;) {
    const [, [name]] = (await retryWhileLocked(patience, () => knex.migrate.up(settings))) as [
      number,
      string[],
    ]
    if (name === undefined) return ran
    ran.push(name)
  }
}

/** Takes back every migration of the list, newest first, and first all views, which need them. */
export async function rollBack(knex: Knex, list: readonly Migration[]): Promise<void> {
  await dropViews(knex)
  await knex.migrate.rollback(settingsFor(list, lockPatience), true)
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

async function retryWhileLocked<T>({ tries, pause }: Patience, act: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await act()
    } catch (error) {
      if (left <= 1 || !worthAnotherTry.has(errorCode(error))) throw error
      await sleep(pause)
    }
  }
}
