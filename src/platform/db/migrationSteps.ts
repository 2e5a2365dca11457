import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Migration, migrations } from '../../../migrations/index.js'
import { errorCode } from '../process/databaseErrors.js'
import { log } from '../process/log.js'
import { builderOn, inSnapshot, type Knex, type Query } from './database.js'
import { withDedicatedConnection } from './dedicatedConnection.js'
import { sessionSettings } from './pools.js'
import { dropViews } from './databaseViews.js'

/** Milliseconds to wait for another release that migrates, and between two looks. */
const longestWait = 15 * 60_000
const lookEvery = 250

/**
 * Runs `work` on a connection of its own, under a lock that ends with the process, also when it is
 * killed. Throws when another process has held the lock for too long.
 */
export async function alone<T>(work: (knex: Knex) => Promise<T>): Promise<T> {
  return withDedicatedConnection(async (holder) => {
    await take(holder)
    return withDedicatedConnection(async (worker) => {
      // The server then stops a statement whose client was killed, so that the next release need
      // not wait for its end. Some systems cannot tell, and say so when it is set.
      await worker.query(`set client_connection_check_interval = '1s'`).catch(() => {})
      return work(builderOn(worker))
    })
  })
}

/**
 * Takes the lock, whose number is the same in every version, in a transaction that stays open
 * without a snapshot. Never waits inside a statement: a statement that waits has a snapshot, for
 * whose end an index that is built concurrently waits, for ever.
 */
async function take(holder: pg.Client): Promise<void> {
  const until = performance.now() + longestWait
  for (let isFirst = true; ; isFirst = false) {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await holder.query<{ got: boolean }>('select pg_try_advisory_xact_lock(726001) as got')
    if (rows[0]!.got) return
    await holder.query('rollback')
    if (isFirst) log.warn('another process migrates this database: waiting for its end')
    if (performance.now() > until)
      throw new Error('Another process has been migrating this database for 15 minutes.')
    await sleep(lookEvery)
  }
}

/**
 * Makes the settings of our connections those of this role in this database, so that they hold on
 * every connection a pooler lends. A role may do that for itself; where it may not, nothing
 * happens.
 */
export async function keepSettings(query: Query): Promise<void> {
  const [row] = await query<{ name: string }>(`select format('%I', current_database()) as name`)
  const statements = Object.entries(sessionSettings).map(
    ([name, value]) => `alter role current_user in database ${row!.name} set ${name} = '${value}';`,
  )
  await query(statements.join('\n')).catch(() => {})
}

/**
 * Gives `role` its rights on every table, also those that later migrations make, all at once or not
 * at all: read and write rows, never change a table, only read and add audit entries (decision
 * 4.14), and only read the views of facts: they work with the rights of their owner, so that by one
 * of the audit log it could be changed. Nothing for a role that owns the tables. Run it as the
 * tables' owner, while holding the migration lock.
 */
export async function grantTo(role: string, query: Query): Promise<void> {
  if (await ownsAudit(query, role)) return
  const name = pg.escapeIdentifier(role)
  // Sent together, they are one transaction: at no moment may the role change the audit log.
  await query(`
    grant usage on schema public to ${name};
    revoke create on schema public from ${name};
    grant select, insert, update, delete on all tables in schema public to ${name};
    revoke truncate, references, trigger on all tables in schema public from ${name};
    revoke update, delete on audit_entries from ${name};
    revoke insert, update, delete on migrations, database_views from ${name};
    do $$
      declare view_name text;
      begin
        for view_name in
          select relname from pg_class
          where relkind = 'v' and relnamespace = 'public'::regnamespace
            and relname in (select name from database_views)
        loop
          execute format('revoke insert, update, delete, trigger on public.%I from ${name}', view_name);
        end loop;
      end $$;
    revoke all on migrations_lock from ${name};
    grant usage on all sequences in schema public to ${name};
    revoke update on all sequences in schema public from ${name};
    revoke usage on sequence migrations_id_seq, migrations_lock_index_seq from ${name};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${name};
    alter default privileges in schema public grant usage on sequences to ${name};`)
}

/** Whether the role (default: our own) owns or may own the audit log; false without a log. */
export async function ownsAudit(query: Query, role: string | null = null): Promise<boolean> {
  const rows = await query<{ owns: boolean }>(
    `select pg_has_role(coalesce($1::name, current_user), relowner, 'MEMBER') as owns
     from pg_class where oid = to_regclass('public.audit_entries')`,
    [role],
  )
  return rows[0]?.owns ?? false
}

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
  patience: Patience = usual,
): Promise<string[]> {
  if (list.some(({ name }) => name === baseline)) await requireOurs(knex)
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

/** Takes back every migration of the list, newest first, and first all views, which need them. */
export async function rollBack(knex: Knex, list: readonly Migration[]): Promise<void> {
  await dropViews(knex)
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
      if (left <= 1 || !worthAnotherTry.has(errorCode(error))) throw error
      await sleep(pause)
    }
  }
}
