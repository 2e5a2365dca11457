import { Model } from 'objection'
import pg from 'pg'
import { version } from '../process/version.js'
import { noteDatabaseAnswer, noteDatabaseFailure, noteLostConnection } from './availability.js'
import { Connection, knexOver } from './connection.js'
import { startPreparing } from './prepared.js'

/** Milliseconds until a query counts as failed: the database is away, or hangs. */
const queryTimeout = 8_000
/**
 * Milliseconds until the freshness check counts as failed. It takes less than one; the last status
 * is shown then.
 */
const checkTimeout = 1_500
/** Milliseconds a request waits for a connection before it gets 503: no queue builds up. */
export const acquireTimeout = 2_500
/** The server stops what its client gave up. Behind a pooler the role has them: `keepSettings`. */
export const sessionSettings = {
  statement_timeout: `${queryTimeout}ms`,
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
  timezone: 'UTC',
}

/** The statements that set them, which fail after `timeoutMs`. */
function sessionSettingsQuery({ timeoutMs }: { timeoutMs: number }) {
  const statements = Object.entries(sessionSettings).map(([name, value]) => `set ${name} = '${value}'`)
  return { text: statements.join('; '), query_timeout: timeoutMs }
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** The process's one database, while it is open. */
let open: { address: pg.ClientConfig; pool: pg.Pool; readPool: pg.Pool } | null = null

/** The pools of the open database. Throws when it is not open. */
export function openPools(): { pool: pg.Pool; readPool: pg.Pool } {
  if (!open) throw new Error('the database is not open')
  return open
}

/** Where the open database is. Throws when it is not open. */
export function databaseAddress(): pg.ClientConfig {
  if (!open) throw new Error('the database is not open')
  return open.address
}

/** What a process is for, as monitors of the database read it in the names of its connections. */
type Part = 'web' | 'worker' | 'migrate' | 'job'
type Opening = { as?: Part; patience?: number; queue?: number }

/**
 * Opens the process's one database: a pool of `max`, and one more connection for the freshness
 * check of cached reads, which must never queue behind slow work. `patience`: ms until a query
 * counts as failed; `queue`: until a wait for a connection does. Connects with the first query.
 */
export function openDatabase(
  url: string,
  max = 12,
  { as = 'job', patience = queryTimeout, queue = acquireTimeout }: Opening = {},
): void {
  if (open) throw new Error('the database is already open')
  startPreparing()
  // An application_name in the address itself wins.
  const address = { connectionString: url, application_name: `caretaker ${as} ${version}`, keepAlive: true }
  const newPool = (connections: number, queryPatience: number) => {
    const pool = new pg.Pool({
      ...address,
      Client: Connection,
      max: connections,
      connectionTimeoutMillis: queue,
      query_timeout: queryPatience + 1_000,
      idleTimeoutMillis: 60_000,
      pipeline: true,
      // Answered before the connection is lent: nothing may follow it unanswered (see `commit`).
      onConnect: (client: pg.ClientBase) =>
        client.on('error', noteLostConnection).query(sessionSettingsQuery({ timeoutMs: queue })),
    } as pg.PoolConfig)
    pool.on('error', noteLostConnection)
    pool.on('connect', noteDatabaseAnswer)
    return pool
  }
  const pool = newPool(max, patience)
  open = { address, pool, readPool: newPool(1, Math.min(patience, checkTimeout)) }
  Model.knex(
    knexOver(
      () => acquire(pool),
      (connection) => connection.release(),
    ),
  )
}

/**
 * Opens every connection the process may have, so that the first requests after a start, which come
 * all at once, wait for none. One that fails is opened when it is needed.
 */
export async function openConnections(): Promise<void> {
  const { pool, readPool } = openPools()
  const opening = [pool, readPool].flatMap((each) =>
    Array.from({ length: each.options.max }, () => acquire(each)),
  )
  for (const each of await Promise.allSettled(opening)) if (each.status === 'fulfilled') each.value.release()
}

/**
 * Opens this database, which must not be open yet, for `work`. Options and errors are those of
 * `openDatabase`.
 */
export async function withDatabase<T>(
  url: string,
  max: number,
  work: () => Promise<T>,
  opening: Opening = {},
): Promise<T> {
  openDatabase(url, max, opening)
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}

/** Waits for the connections in use and closes them. */
export async function closeDatabase(): Promise<void> {
  const closing = open
  open = null
  await Promise.all([closing?.pool.end(), closing?.readPool.end()])
}

/** Connections of the pool: open, in use, and callers that wait for one. */
export function poolState(): { open: number; inUse: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = open?.pool ?? {}
  return { open: totalCount, inUse: totalCount - idleCount, waiting: waitingCount }
}

/** Takes a connection from a pool, and logs once where that fails because the database is away. */
export async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch(noteAndRethrow)
}

/** Notes that the database is away, where the error says so, and throws the error. */
export function noteAndRethrow(error: unknown): never {
  noteDatabaseFailure(error)
  throw error
}
