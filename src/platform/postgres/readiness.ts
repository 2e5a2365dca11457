import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressOf, OWNER_ROLE, SERVING_ROLE } from './cluster.js'
import { close, type Held, SILENCE_LIMIT_MS, takeLease } from './lease.js'
import { findPostmaster, type Postmaster } from './postmaster.js'

/** For a fast shutdown begun by another process that did not live to see its end. */
const STOPPING_LIMIT_MS = 12_000
/** Settings by which a committed change survives a power cut. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit']
/** SQLSTATEs worth a retry: no free connection, starting, ending, or busy copying its template. */
const TRY_AGAIN = ['53300', '57P01', '57P02', '57P03', '55006', '42P04', '23505']

/** A server in use by this process, the database's URL for each role, and settings that are not durable. */
export type Joined = { state: 'ready'; held: Held; url: string; ownerUrl: string; nonDurable: string[] }

/** No server, one that hangs, one still starting or busy at the deadline, or joined. */
export type Answer = { state: 'gone' | 'hung' | 'busy' | 'starting' } | Joined

export type Question = {
  cluster: string
  database: string
  limitMs: number
  /** true while a server just launched may not have written its postmaster.pid */
  expected?: () => boolean
}

/** Waits for the cluster's server to answer and joins it; creates the database if missing. */
export async function waitForAnswer({ cluster, database, limitMs, expected }: Question): Promise<Answer> {
  const began = Date.now()
  let heard = began
  for (;;) {
    const postmaster = await findPostmaster(cluster)
    if (postmaster === undefined && !expected?.()) return { state: 'gone' }
    const reply = postmaster?.status === 'ready' ? await join(postmaster, cluster, database) : 'later'
    if (typeof reply === 'object') return reply
    if (reply !== 'silent') heard = Date.now()
    const stuck = postmaster?.status === 'stopping' && Date.now() - began > STOPPING_LIMIT_MS
    if (stuck || Date.now() - heard > SILENCE_LIMIT_MS) return { state: 'hung' }
    if (Date.now() - began > limitMs) return { state: postmaster?.status === 'ready' ? 'busy' : 'starting' }
    await sleep(25)
  }
}

async function join(
  postmaster: Postmaster,
  cluster: string,
  database: string,
): Promise<Joined | 'later' | 'silent'> {
  const path = encodeURIComponent(database)
  const ownerUrl = (await addressOf(OWNER_ROLE, cluster, postmaster.port)) + path
  const url = (await addressOf(SERVING_ROLE, cluster, postmaster.port)) + path
  try {
    const client = await takeLease(cluster, postmaster.port)
    try {
      await ensureDatabase(client, database)
      const nonDurable = await findNonDurable(client)
      return { state: 'ready', held: { client, postmaster }, url, ownerUrl, nonDurable }
    } catch (error) {
      await close(client)
      throw error
    }
  } catch (error) {
    return excuse(error, cluster)
  }
}

function excuse(error: unknown, cluster: string): 'later' | 'silent' {
  const { code = '', message } = error as pg.DatabaseError
  if (TRY_AGAIN.includes(code)) return 'later'
  if (!(error instanceof pg.DatabaseError)) return 'silent'
  const what = `The private PostgreSQL on ${cluster} refuses its own application: ${message}`
  throw new Error(what, { cause: error })
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount !== 0) return
  const database = client.escapeIdentifier(name)
  await client.query(`create database ${database}`)
  await client.query(`revoke temporary on database ${database} from public`)
}

async function findNonDurable(client: pg.Client): Promise<string[]> {
  const query = `select name from pg_settings where name = any($1) and setting <> 'on' order by name`
  const { rows } = await client.query<{ name: string }>(query, [DURABILITY])
  return rows.map(({ name }) => name)
}
