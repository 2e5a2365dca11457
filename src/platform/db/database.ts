import { createHash } from 'node:crypto'
import { Model, QueryBuilder } from 'objection'
import pg from 'pg'
import { errorCode } from '../process/databaseErrors.js'
import { log } from '../process/log.js'
import { tracedQuery, withSpan } from '../process/tracing.js'
import { version } from '../process/version.js'
import { noteDatabaseAnswer, noteDatabaseFailure, noteLostConnection } from './availability.js'
import { Connection, knexOver } from './connection.js'
import { rowsByField } from './rowsByField.js'

export type { Knex } from 'knex'
export type { AnyQueryBuilder } from 'objection'
export { builderOn } from './connection.js'

/** Milliseconds until a query counts as failed: the database is away, or hangs. */
const queryTimeout = 8_000
/**
 * Milliseconds until the freshness check counts as failed. It takes less than one; the last status
 * is shown then.
 */
const checkTimeout = 1_500
/** Milliseconds a request waits for a connection before it gets 503: no queue builds up. */
const acquireTimeout = 2_500
/** The server stops what its client gave up. Behind a pooler the role has them: `keepSettings`. */
export const sessionSettings = {
  statement_timeout: `${queryTimeout}ms`,
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
  timezone: 'UTC',
}
const settings = Object.entries(sessionSettings).map(([name, value]) => `set ${name} = '${value}'`)
const setSession = (query_timeout: number) => ({ text: settings.join('; '), query_timeout })

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/**
 * Repeats a statement outside a change as `query` does. Inside one, the whole change is repeated:
 * an error has ended its transaction.
 */
class RetryingQueryBuilder<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  override execute(): Promise<R> {
    const attempt = () => super.execute()
    return this.context().transaction === Model.knex() ? retryOnce(attempt) : attempt()
  }
}

/** A table row: `declare` the columns, as an own `undefined` property would be written. */
export class Row extends Model {
  static override QueryBuilder = RetryingQueryBuilder

  declare id: number
}

/** A Row whose columns are the type parameter. */
export const rowOf = <Columns>() =>
  Row as unknown as Omit<typeof Row, 'prototype'> & (new () => Row & Columns)

/** The process's one database, while it is open. */
let opened: { address: pg.ClientConfig; pool: pg.Pool; readPool: pg.Pool } | null = null

function openedDatabase() {
  if (!opened) throw new Error('the database is not open')
  return opened
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
  if (opened) throw new Error('the database is already open')
  preparing = true
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
      onConnect: (lent: pg.ClientBase) => lent.on('error', noteLostConnection).query(setSession(queue)),
    } as pg.PoolConfig)
    pool.on('error', noteLostConnection)
    pool.on('connect', noteDatabaseAnswer)
    return pool
  }
  const pool = newPool(max, patience)
  opened = { address, pool, readPool: newPool(1, Math.min(patience, checkTimeout)) }
  Model.knex(
    knexOver(
      () => lent(pool),
      (connection) => connection.release(),
    ),
  )
}

/**
 * Opens every connection the process may have, so that the first requests after a start, which come
 * all at once, wait for none. One that fails is opened when it is needed.
 */
export async function openConnections(): Promise<void> {
  const { pool, readPool } = openedDatabase()
  const opening = [pool, readPool].flatMap((each) =>
    Array.from({ length: each.options.max }, () => lent(each)),
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
  const closing = opened
  opened = null
  await Promise.all([closing?.pool.end(), closing?.readPool.end()])
}

/** Connections of the pool: open, in use, and callers that wait for one. */
export function poolState(): { open: number; inUse: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = opened?.pool ?? {}
  return { open: totalCount, inUse: totalCount - idleCount, waiting: waitingCount }
}

/** Takes a connection from a pool, and logs once where that fails because the database is away. */
async function lent(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch(away)
}

function away(error: unknown): never {
  noteDatabaseFailure(error)
  throw error
}

/** Runs a statement on a connection of a pool. One that it failed on is not lent again. */
async function queryIn<T extends pg.QueryResultRow>(pool: pg.Pool, query: pg.QueryConfig): Promise<T[]> {
  const client = await lent(pool)
  try {
    const rows = await rowsByField<T>(client, query)
    client.release()
    return rows
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

/**
 * Opens a connection outside the pools, on which a statement may run for any time and nothing is
 * sent before what was sent earlier is answered. Whoever opens it ends it.
 */
export async function dedicatedConnection(): Promise<pg.Client> {
  const client = new Connection({ ...openedDatabase().address, connectionTimeoutMillis: acquireTimeout })
  client.on('error', noteLostConnection)
  await client.connect().catch(away)
  noteDatabaseAnswer()
  return client
}

/** Calls `work` with a connection of its own, and ends that afterwards. */
export async function withDedicatedConnection<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await dedicatedConnection()
  try {
    await client.query(`set timezone = 'UTC'`)
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Calls `work` with a connection to any server, which keeps only the driver's own rules, and closes
 * it afterwards.
 */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config)
  // A lost connection also rejects the statement under way, which is where it is handled.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Runs SQL outside a transaction, with `$1`-style parameters. Rows have the fields of their
 * columns: `createdAt` of `created_at`.
 */
export async function query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const { pool } = openedDatabase()
  return tracedQuery(text, () => retryOnce(() => queryIn<T>(pool, prepared(text, values))))
}

/** Runs SQL as `query` does, planned for these values: the right index may depend on them. */
export async function queryUnprepared<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { pool } = openedDatabase()
  return tracedQuery(text, () => queryIn<T>(pool, { text, values }))
}

const statementNames = new Map<string, string>()
let preparing = true

/**
 * A query as a prepared statement: planned once per connection, twice as fast on hot paths. The
 * name is a hash of the text, so equal names mean equal statements in every process.
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  // Several commands in one text cannot be prepared; these are transaction settings, not hot paths.
  if (!preparing || text.includes(';')) return { text, values }
  let name = statementNames.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url')
    statementNames.set(text, name)
  }
  return { name, text, values }
}

/** SQLSTATEs: no such prepared statement, its name is taken, or its tables changed since. */
const lostPrepared = new Set(['26000', '42P05', '0A000'])

/**
 * Whether a prepared statement was lost: a transaction-mode pooler swapped the connection, or a
 * migration changed its tables. This process then stops preparing; the caller may retry once.
 */
function preparedIsLost(error: unknown): boolean {
  if (!lostPrepared.has(errorCode(error))) return false
  if (preparing) log.info('a pooler is in between: going on without prepared statements')
  preparing = false
  return true
}

/**
 * Attempts a read or a whole write, and once more when nothing was stored and that can succeed:
 * after lost prepared statements or a deadlock (40P01), which a migration makes with readers too.
 * Throws what the last one threw.
 */
export async function retryOnce<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) =>
    preparedIsLost(error) || errorCode(error) === '40P01' ? attempt() : Promise.reject(error),
  )
}

/** Takes a connection from the pool for a transaction or a stream; return it with `release`. */
export async function connection(): Promise<pg.PoolClient> {
  return withSpan('wait for a connection', () => lent(openedDatabase().pool))
}

/** Runs one short statement on the connection reserved for freshness checks. */
export async function queryReserved<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { readPool } = openedDatabase()
  return retryOnce(() => queryIn<T>(readPool, prepared(text, values)))
}

/**
 * Calls `read` with a query function that sees one snapshot. Like `retryOnce`, tries again with a
 * new snapshot.
 */
export function inSnapshot<T>(read: (query: Query) => Promise<T>): Promise<T> {
  return retryOnce(async () => {
    const client = await connection()
    let first: unknown
    try {
      await client.query('begin isolation level repeatable read read only')
      const result = await read(
        async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
          const run = () => rowsByField<Row>(client, prepared(text, values))
          return tracedQuery(text, run).catch((error: unknown) => {
            first ??= error
            throw error
          })
        },
      )
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      // Of queries sent together only the first error says more than that all is aborted.
      throw first ?? error
    }
  })
}

/** Runs SQL and returns its rows, with the fields of their columns. */
export type Query = <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>

/** Runs SQL on this connection. */
export function queryOn(client: pg.ClientBase): Query {
  return (text, values = []) => rowsByField(client, { text, values })
}
