import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressOf, OWNER_ROLE } from './cluster.js'
import { findPostmaster, type Postmaster } from './postmaster.js'

/** A connection to a server, open for as long as this process uses it: the kernel ends it with the process. */
export type Held = { client: pg.Client; postmaster: Postmaster }

/** A server that takes connections answers in milliseconds; one that says nothing for so long hangs. */
const CONNECT_LIMIT_MS = 3_000
export const SILENCE_LIMIT_MS = 5_000
const RETAKE_MS = 250
/** Sessions of a process that has just ended are gone within milliseconds. */
const LINGER_MS = 1_000

/** Of the database `postgres`: shared by all who use the server, and taken alone by the one who stops it. */
const LOCK = 1
const OTHERS = `
  select count(*)::int as sessions, coalesce(bool_or(wait_event_type = 'Lock'), false) as joining
  from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`

/** @types/pg does not know that a connection may be left out of what keeps the process running. */
type Unreferenced = pg.Client & { ref(): void; unref(): void }

/** Closes a connection, be it to a server that does not answer. */
export async function close(client: pg.Client): Promise<void> {
  const late = sleep(CONNECT_LIMIT_MS, undefined, { ref: false })
  await Promise.race([client.end().catch(() => undefined), late])
}

/** Opens the connection by which this process uses the server, once nobody is stopping it any more. */
export async function takeLease(cluster: string, port: number): Promise<pg.Client> {
  const connectionString = `${await addressOf(OWNER_ROLE, cluster, port)}postgres`
  const limits = { connectionTimeoutMillis: CONNECT_LIMIT_MS, query_timeout: SILENCE_LIMIT_MS }
  const client = new pg.Client({ connectionString, ssl: false, ...limits })
  // The server may drop the connection while nobody waits for it; the next question finds out.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${LOCK})`)
    return client
  } catch (error) {
    await close(client)
    throw error
  }
}

/**
 * Keeps a lease, and takes it again from the next server when this one dies, until the answered function is called. That
 * one tells what is held then, to be closed by its caller.
 */
export function keepLease(cluster: string, first: Held): () => Held | undefined {
  let held: Held | undefined
  let released = false
  const keep = (next: Held) => {
    held = next
    ;(next.client as Unreferenced).unref()
    next.client.once('end', () => {
      held = undefined
      void retake()
    })
  }
  const retake = async () => {
    while (!released && held === undefined) {
      await sleep(RETAKE_MS, undefined, { ref: false })
      const next = await tryToTake(cluster)
      if (next && released) await close(next.client)
      else if (next) keep(next)
    }
  }
  keep(first)
  return () => {
    released = true
    if (held) (held.client as Unreferenced).ref()
    return held
  }
}

/**
 * Gives the lease up and tells whether nobody else uses the server. If so, who comes now has to wait until the connection
 * is closed or the server has ended, and starts another.
 */
export async function isLast(client: pg.Client): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared(${LOCK})`)
  const { rows } = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(${LOCK}) as alone`)
  if (!rows[0]?.alone) return false
  for (const until = Date.now() + LINGER_MS; ; await sleep(20)) {
    const [others] = (await client.query<{ sessions: number; joining: boolean }>(OTHERS)).rows
    if (!others?.sessions) return true
    if (others.joining || Date.now() > until) return false
  }
}

async function tryToTake(cluster: string): Promise<Held | undefined> {
  const postmaster = await findPostmaster(cluster)
  if (postmaster?.status !== 'ready') return undefined
  return takeLease(cluster, postmaster.port).then(
    (client) => ({ client, postmaster }),
    () => undefined,
  )
}
