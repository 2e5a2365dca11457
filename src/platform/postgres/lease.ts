import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressOf, ownerRole } from './cluster.js'

/**
 * A connection kept open while this process uses the server; the kernel closes it with the process.
 */
export type Lease = pg.Client

/** A live server answers in milliseconds. */
const connectLimitMs = 3_000
const answerLimitMs = 5_000

/** SQLSTATEs worth a retry: no free connection, starting, ending, or busy copying its template. */
const worthAnotherTry = ['53300', '57P01', '57P02', '57P03', '55006', '42P04', '23505']

/** @types/pg lacks ref and unref, by which a connection does not keep the process running. */
type Unreferenced = pg.Client & { ref(): void; unref(): void }

/**
 * Makes this process one of the server's users, with this database, made if it is missing. Waits
 * while another process stops the server; undefined when it ended, or does not answer now.
 */
export async function takeLease(cluster: string, port: number, database: string): Promise<Lease | undefined> {
  const connectionString = `${await addressOf(ownerRole, cluster, port)}postgres`
  const limits = { connectionTimeoutMillis: connectLimitMs, query_timeout: answerLimitMs }
  const client = new pg.Client({ connectionString, ssl: false, ...limits })
  // The server may end at any time: who waits for that hears `end`.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared(1)')
    await ensureDatabase(client, database)
    ;(client as Unreferenced).unref()
    return client
  } catch (error) {
    await close(client)
    if (!(error instanceof pg.DatabaseError) || worthAnotherTry.includes(error.code ?? '')) return undefined
    const what = `The private PostgreSQL on ${cluster} refuses its own application: ${error.message}`
    throw new Error(what, { cause: error })
  }
}

/**
 * Ends the lease and calls `stopServer` first if no other process has one. Who comes meanwhile
 * waits in `takeLease`, and starts the server again.
 */
export async function endLease(lease: Lease, stopServer: () => Promise<void>): Promise<void> {
  ;(lease as Unreferenced).ref()
  try {
    if (await isLast(lease)) await stopServer()
  } finally {
    await close(lease)
  }
}

/**
 * The users of the server share the advisory lock 1 in the database `postgres`; who stops it has it
 * alone. False as well when the server has ended.
 */
async function isLast(lease: Lease): Promise<boolean> {
  try {
    await lease.query('select pg_advisory_unlock_shared(1)')
    const { rows } = await lease.query<{ last: boolean }>('select pg_try_advisory_lock(1) as last')
    return rows[0]!.last
  } catch {
    return false
  }
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount !== 0) return
  const database = client.escapeIdentifier(name)
  await client.query(`create database ${database}`)
  await client.query(`revoke temporary on database ${database} from public`)
}

/** Closes a connection, even when the server does not answer. */
async function close(client: pg.Client): Promise<void> {
  const late = sleep(connectLimitMs, undefined, { ref: false })
  await Promise.race([client.end().catch(() => undefined), late])
}
