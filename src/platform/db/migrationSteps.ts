import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { beforeBaseline } from '../../../migrations/beforeBaseline.js'
import { type Migration, migrations } from '../../../migrations/index.js'
import { errorCode } from '../process/databaseErrors.js'
import { log } from '../process/log.js'
import {
  builderOn,
  inSnapshot,
  type Knex,
  type Query,
  sessionSettings,
  withDedicatedConnection,
} from './database.js'

/** Any constant works, as long as every version of Caretaker uses the same one. */
const migrationLock = 726_001

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
 * Takes the lock in a transaction that stays open without a snapshot. Never waits inside a
 * statement: a statement that waits has a snapshot, for whose end an index that is built
 * concurrently waits, for ever.
 */
async function take(holder: pg.Client): Promise<void> {
  const until = performance.now() + longestWait
  for (let isFirst = true; ; isFirst = false) {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await holder.query<{ got: boolean }>(
      `select pg_try_advisory_xact_lock(${migrationLock}) as got`,
    )
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
 * The rights of the serving role: read and write rows, never change a table, only read and add
 * audit entries (decision 4.14). Each row: kind of object, right, SQL condition for granting it.
 */
const rights: [object: 'table' | 'sequence' | 'schema', right: string, given: string][] = [
  ['schema', 'USAGE', 'true'],
  ['schema', 'CREATE', 'false'],
  ['sequence', 'USAGE', `name not like 'migrations%'`],
  ['sequence', 'UPDATE', 'false'],
  ['table', 'SELECT', `name <> 'migrations_lock'`],
  ['table', 'INSERT', `name not like 'migrations%'`],
  ['table', 'UPDATE', `name not like 'migrations%' and name <> 'audit_entries'`],
  ['table', 'DELETE', `name not like 'migrations%' and name <> 'audit_entries'`],
  ['table', 'TRUNCATE', 'false'],
  ['table', 'REFERENCES', 'false'],
  ['table', 'TRIGGER', 'false'],
]

const objects = `
  select 'table' as kind, oid, relname::text as name, format('public.%I', relname) as quoted from pg_class
  where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace
  union all
  select 'sequence', oid, relname, format('public.%I', relname) from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace
  union all
  select 'schema', oid, nspname, 'public' from pg_namespace where nspname = 'public'`

/** SQL: the statements that give role `$1` exactly its rights; none when it has them. */
const missing = `
  with objects as materialized (${objects}), rights as (
    ${rights.map(([kind, right, given]) => `select kind, oid, quoted, '${right}' as what, (${given}) as given from objects where kind = '${kind}'`).join('\n    union all\n    ')}
  )
  select format(case when given then 'grant %s on %s %s to %I' else 'revoke %s on %s %s from %I' end, what, kind, quoted, $1::name) as statement
  from rights
  where given <> case kind
    when 'table' then has_table_privilege($1::name, oid, what)
    when 'sequence' then has_sequence_privilege($1::name, oid, what)
    else has_schema_privilege($1::name, oid, what)
  end
  order by kind, quoted, what`

/**
 * Gives `role` its rights on every existing table, all at once or not at all; nothing for a role
 * that owns the tables. Run it as the tables' owner, while holding the migration lock.
 */
export async function grantTo(role: string, query: Query): Promise<void> {
  if (await ownsAudit(query, role)) return
  const statements = await query<{ statement: string }>(missing, [role])
  if (statements.length > 0) await query(statements.map(({ statement }) => `${statement};`).join('\n'))
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
 * The migrations that a database ran, without the steps before version 1.0.0: all of them together
 * are the baseline (decision 8.8). Throws when it ran only some of them.
 */
export function sinceBaseline(names: readonly string[]): string[] {
  const former = names.filter((name) => beforeBaseline.includes(name))
  const since = names.filter((name) => !beforeBaseline.includes(name))
  if (former.length === 0 || since.includes(baseline)) return since
  const missing = beforeBaseline.length - former.length
  if (missing > 0)
    throw new Error(
      `This database was made by a version before 1.0.0 and lacks ${missing} of its steps. Run "npm run migrate" of commit 7c78cff0 first, then of this version.`,
    )
  return [baseline, ...since]
}

/**
 * Notes the baseline in a database that ran every step before it. Their names stay: the version
 * before stays ready until it is restarted, and can be rolled back to. Throws as `sinceBaseline`.
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
      if (left <= 1 || !worthAnotherTry.has(errorCode(error))) throw error
      await sleep(pause)
    }
  }
}
