import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostmaster, type Postmaster } from './pidFile.js'
import { addressOf, isServedByOwner, OWNER_ROLE, SERVING_ROLE, takeOver } from './roles.js'
import { DURABILITY } from './settings.js'

/** A server that takes connections answers in milliseconds; one that says nothing for so long hangs. */
const CONNECT_LIMIT_MS = 3_000
const SILENCE_LIMIT_MS = 5_000
/** A fast shutdown that somebody else began, and did not live to see the end of. */
const STOPPING_LIMIT_MS = 12_000

/** Found nothing, found one that hangs, still waiting at the end of the time, or the server and its facts. */
export type Answer =
  | { state: 'gone' | 'hung' | 'busy' | 'starting' }
  | ({ state: 'ready'; postmaster: Postmaster } & Reply)

/** The database's address as the role that serves and as the one that owns it, and the settings that are not safe. */
type Reply = { url: string; ownerUrl: string; lax: string[] }

export type Question = {
  cluster: string
  database: string
  limitMs: number
  /** true while a server just launched may not have written its postmaster.pid yet */
  expected?: () => boolean
}

/** Waits for the cluster's server to answer a query in the database, which is made when missing. */
export async function waitForAnswer({ cluster, database, limitMs, expected }: Question): Promise<Answer> {
  const began = Date.now()
  let heard = began
  for (;;) {
    const postmaster = await findPostmaster(cluster)
    if (postmaster === undefined && !expected?.()) return { state: 'gone' }
    const reply = postmaster?.status === 'ready' ? await greet(postmaster, cluster, database) : 'later'
    if (typeof reply === 'object') return { state: 'ready', postmaster: postmaster!, ...reply }
    if (reply !== 'silent') heard = Date.now()
    const stuck = postmaster?.status === 'stopping' && Date.now() - began > STOPPING_LIMIT_MS
    if (stuck || Date.now() - heard > SILENCE_LIMIT_MS) return { state: 'hung' }
    if (Date.now() - began > limitMs) return { state: postmaster?.status === 'ready' ? 'busy' : 'starting' }
    await sleep(25)
  }
}

async function greet(
  { port }: Postmaster,
  cluster: string,
  database: string,
): Promise<Reply | 'later' | 'silent'> {
  const owner = await addressOf(OWNER_ROLE, cluster, port)
  const path = encodeURIComponent(database)
  try {
    const { lax, unmoved } = await connected(`${owner}postgres`, async (client) => {
      await ensureDatabase(client, database)
      return { lax: await laxSettings(client), unmoved: await isServedByOwner(client, database) }
    })
    if (unmoved) await connected(owner + path, (client) => takeOver(client, database))
    return { url: (await addressOf(SERVING_ROLE, cluster, port)) + path, ownerUrl: owner + path, lax }
  } catch (error) {
    return excuse(error, cluster)
  }
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const limits = { connectionTimeoutMillis: CONNECT_LIMIT_MS, query_timeout: SILENCE_LIMIT_MS }
  const client = new pg.Client({ connectionString, ssl: false, ...limits })
  // The server may drop the connection while nobody waits for it; the next question finds out.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await Promise.race([
      client.end().catch(() => undefined),
      sleep(CONNECT_LIMIT_MS, undefined, { ref: false }),
    ])
  }
}

/** A server without a free connection, starting, ending or busy copying its template does answer: try again. */
const TRY_AGAIN = ['53300', '57P01', '57P02', '57P03', '55006', '42P04', '23505']

function excuse(error: unknown, cluster: string): 'later' | 'silent' {
  if (!(error instanceof pg.DatabaseError)) return 'silent'
  if (TRY_AGAIN.includes(error.code ?? '')) return 'later'
  const what = `The private PostgreSQL on ${cluster} refuses its own application: ${error.message}`
  throw new Error(what, { cause: error })
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
}

async function laxSettings(client: pg.Client): Promise<string[]> {
  const query = `select name from pg_settings where name = any($1) and setting <> 'on' order by name`
  const { rows } = await client.query<{ name: string }>(query, [DURABILITY])
  return rows.map(({ name }) => name)
}
