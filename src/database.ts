import { createHash } from 'node:crypto'
import knexModule, { type Knex } from 'knex'
import { knexSnakeCaseMappers, Model } from 'objection'
import pg from 'pg'
import { nativeError } from './databaseErrors.js'
import { log } from './log.js'

export type { Knex } from 'knex'

/** Milliseconds a query may take before its caller is told the database is away; also true of a frozen server. */
const queryTimeout = 10_000
/** Milliseconds a request may wait for a connection: past this the answer is 503, not a queue without end. */
const acquireTimeout = 2_500
/** Set on every new connection, in the server as well: a client that gave up must not leave its statement running. */
const sessionSettings = `set statement_timeout = '${queryTimeout}ms'; set lock_timeout = '3s';
  set idle_in_transaction_session_timeout = '15s'; set timezone = 'UTC'`

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** A table: declare the columns, never initialise them (an own `undefined` property would be written). */
export class Row extends Model {
  declare id: number
}

/** A row whose columns are said elsewhere. */
export const rowOf = <Columns>() =>
  Row as unknown as Omit<typeof Row, 'prototype'> & (new () => Row & Columns)

let pool: pg.Pool | null = null
/** One connection of its own for the freshness check of cached reads: it must never queue behind slow work. */
let readPool: pg.Pool | null = null
let builder: Knex | null = null

/** Connects the process to its one database. `max` is the size of its pool. Nothing is sent until the first query. */
export function openDatabase(url: string, max = 12): void {
  if (pool) throw new Error('the database is already open')
  preparing = true
  pool = newPool(url, max)
  readPool = newPool(url, 1)
  builder = knexOver(
    () => pool!.connect(),
    (connection) => connection.release(),
  )
  Model.knex(builder)
}

/** Waits for the connections in use and closes them. */
export async function closeDatabase(): Promise<void> {
  const closing = [pool, readPool]
  pool = null
  readPool = null
  builder = null
  await Promise.all(closing.map((each) => each?.end()))
}

function newPool(url: string, max: number): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: acquireTimeout,
    query_timeout: queryTimeout + 1_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: true,
  } as pg.PoolConfig)
  made.on('connect', (connection) => {
    connection.on('error', lostConnection)
    connection.query(sessionSettings).catch(lostConnection)
  })
  made.on('error', lostConnection)
  return made
}

/** The query builder of the process; Objection models use it when given no transaction. */
export function database(): Knex {
  if (!builder) throw new Error('the database is not open')
  return builder
}

/** Runs SQL of ours outside a transaction; `$1`-style parameters, columns as they come. */
export async function query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  return preparedOrNot(async () => (await openPool().query<T>(prepared(text, values))).rows)
}

const statementNames = new Map<string, string>()
let preparing = true

/**
 * A statement of ours as a prepared one, so that the server plans it once per connection instead of each time: twice
 * the speed on the paths people wait for. Its name is made of its text, so equal names are equal statements, whichever
 * process prepared them.
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  // Several commands in one text cannot be prepared; they are settings of a transaction, not what people wait for.
  if (!preparing || text.includes(';')) return { text, values }
  let name = statementNames.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url')
    statementNames.set(text, name)
  }
  return { name, text, values }
}

/** No such prepared statement, one of that name already, or one whose tables changed since. */
const lostPrepared = new Set(['26000', '42P05', '0A000'])

/**
 * True when the error says that a prepared statement was not there: a pooler in transaction mode swapped the server
 * connection under us, or a migration changed its tables. This process then stops preparing; the caller may try once
 * more, also when the statements of others were lost at the same moment.
 */
export function preparedIsLost(error: unknown): boolean {
  if (!lostPrepared.has(String((nativeError(error) as { code?: unknown }).code))) return false
  if (preparing) log.warn('prepared statements do not last on this database: going on without')
  preparing = false
  return true
}

/** Runs it, and once more when its prepared statements were lost. */
async function preparedOrNot<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((error: unknown) => (preparedIsLost(error) ? run() : Promise.reject(error)))
}

/** Takes a connection of its own from the pool, for a transaction or a stream. Give it back with `release`. */
export async function connection(): Promise<pg.PoolClient> {
  return openPool().connect()
}

/** Runs one short statement on the connection that is kept free for freshness checks. */
export async function queryReserved<T extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  if (!readPool) throw new Error('the database is not open')
  return preparedOrNot(async () => (await readPool!.query<T>(prepared(text, values))).rows)
}

/**
 * Reads several things as of one instant: `read` gets a query function that sees a single snapshot. It is called once
 * more, with another one, when prepared statements were lost.
 */
export function inSnapshot<T>(read: (query: Query) => Promise<T>): Promise<T> {
  return preparedOrNot(() => snapshotOnce(read))
}

async function snapshotOnce<T>(read: (query: Query) => Promise<T>): Promise<T> {
  const client = await connection()
  try {
    await client.query('begin isolation level repeatable read read only')
    const result = await read(async (text, values = []) => (await client.query(prepared(text, values))).rows)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

/** SQL of ours in, rows out. */
export type Query = <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>

function openPool(): pg.Pool {
  if (!pool) throw new Error('the database is not open')
  return pool
}

const pinned = new WeakMap<pg.PoolClient, Knex>()

/** A query builder that speaks on this one connection, so that Objection can work inside a transaction of ours. */
export function builderOn(client: pg.PoolClient): Knex {
  const known = pinned.get(client)
  if (known) return known
  const made = knexOver(
    async () => client,
    () => {},
  )
  pinned.set(client, made)
  return made
}

/** Knex as a builder only: connections come from our pool, so there is one pool and one set of limits. */
function knexOver(acquire: () => Promise<pg.PoolClient>, release: (client: pg.PoolClient) => void): Knex {
  const made = knexModule({ client: 'pg', compileSqlOnError: false, ...knexSnakeCaseMappers() })
  made.client.acquireConnection = acquire
  made.client.releaseConnection = async (client: pg.PoolClient) => release(client)
  return made
}

function lostConnection(error: unknown): void {
  log.warn({ error }, 'database connection lost')
}
