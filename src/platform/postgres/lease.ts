import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressOf, OWNER_ROLE } from './cluster.js'
import { findPostmaster, type Postmaster } from './postmaster.js'

/**
 * A connection kept open while this process uses the server; the kernel closes it with the process.
 */
export type Held = { client: pg.Client; postmaster: Postmaster }

/** A live server answers in milliseconds; one silent for this long hangs. */
const CONNECT_LIMIT_MS = 3_000
export const SILENCE_LIMIT_MS = 5_000
const RETAKE_MS = 250
/** Sessions of an ended process disappear within milliseconds. */
const LINGER_MS = 1_000

/** Advisory lock in the database `postgres`: shared by the users, exclusive for stopping it. */
const LOCK = 1
const OTHERS = `
  select count(*)::int as sessions, coalesce(bool_or(wait_event_type = 'Lock'), false) as joining
  from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`

/** @types/pg lacks ref and unref, by which a connection does not keep the process running. */
type Unreferenced = pg.Client & { ref(): void; unref(): void }

/** Closes a connection, even when the server does not answer. */
export async function close(client: pg.Client): Promise<void> {
  const late = sleep(CONNECT_LIMIT_MS, undefined, { ref: false })
  await Promise.race([client.end().catch(() => undefined), late])
}

/** Opens this process's lease; waits while another process is stopping the server. */
export async function takeLease(cluster: string, port: number): Promise<pg.Client> {
  const connectionString = `${await addressOf(OWNER_ROLE, cluster, port)}postgres`
  const limits = { connectionTimeoutMillis: CONNECT_LIMIT_MS, query_timeout: SILENCE_LIMIT_MS }
  const client = new pg.Client({ connectionString, ssl: false, ...limits })
  // The server may drop an idle connection; the next query finds out.
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
 * Keeps a lease, taken again from the next server when this one dies, until the returned function
 * is called. When no one has started that server for `goneMs`, `startAgain` is called. The returned
 * function gives the lease to close, also one just being taken; without one the last server, which
 * may be on its way down.
 */
export function keepLease(
  cluster: string,
  first: Held,
  { startAgain, goneMs }: { startAgain: () => Promise<Held | undefined>; goneMs: number },
): () => Promise<Partial<Held> & Pick<Held, 'postmaster'>> {
  let held: Held | undefined
  let { postmaster } = first
  let retaking: Promise<void> | undefined
  const released = new AbortController()
  const keep = (next: Held) => {
    held = next
    postmaster = next.postmaster
    ;(next.client as Unreferenced).unref()
    next.client.once('end', () => {
      held = undefined
      retaking = retake()
    })
  }
  const retake = async () => {
    let nextTry = Date.now() + goneMs
    while (held === undefined) {
      await sleep(RETAKE_MS, undefined, { ref: false, signal: released.signal }).catch(() => undefined)
      if (released.signal.aborted) return
      let next = await tryToTake(cluster)
      if (!next && Date.now() > nextTry) {
        next = await startAgain()
        nextTry = Date.now() + goneMs
      }
      if (next) keep(next)
    }
  }
  keep(first)
  return async () => {
    released.abort()
    await retaking
    if (held) (held.client as Unreferenced).ref()
    return held ?? { postmaster }
  }
}

/**
 * Releases the lease; true when no process uses the server. Newcomers then wait until this
 * connection closes or the server has ended, and start another.
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
