import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries } from './binaries.js'
import { addressOf, checkCluster, initialize, OWNER_ROLE, SERVING_ROLE } from './cluster.js'
import { type DataFolder, exists } from './dataFolder.js'
import { endOfLog, launch, rotateLog } from './launch.js'
import { close, type Held, SILENCE_LIMIT_MS, takeLease } from './lease.js'
import { clusterFolder, existingPlacement, newPlacement, type Placement } from './placement.js'
import { findPostmaster, hasClients, type Postmaster, stopPostmaster } from './postmaster.js'

/** For a fast shutdown started by another process that did not live to see its end. */
const STOPPING_LIMIT_MS = 12_000
/** Settings by which a committed change survives a power cut. */
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit']
/** SQLSTATEs worth a retry: no free connection, starting, ending, or busy copying its template. */
const TRY_AGAIN = ['53300', '57P01', '57P02', '57P03', '55006', '42P04', '23505']

/** A server in use, the database's URL for each role, and settings that are not durable. */
type Joined = { state: 'ready'; held: Held; url: string; ownerUrl: string; nonDurable: string[] }

/** No server, one that hangs, or one still starting or busy at the deadline. */
type NotJoined = { state: 'gone' | 'hung' | 'busy' | 'starting' }

/**
 * Waits for the cluster's server to answer and joins it; creates the database if missing.
 * `expected`: true while a server just launched may not have written its postmaster.pid.
 */
async function waitForAnswer(
  cluster: string,
  database: string,
  limitMs: number,
  expected = () => false,
): Promise<Joined | NotJoined> {
  const began = Date.now()
  let heard = began
  for (;;) {
    const postmaster = await findPostmaster(cluster)
    if (postmaster === undefined && !expected()) return { state: 'gone' }
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

/** In ms; long enough to recover all the log that max_wal_size allows. */
const ANSWER_LIMIT_MS = 30_000
const LAUNCHES = 5

export type Options = {
  database: string
  settings: Record<string, string>
  /** of what went wrong and goes on */
  log: (message: string) => void
}

/**
 * Joins the server already running on the folder's cluster (`adopted`), else starts one, setting it
 * up if there is none. Call with the mutex held.
 */
export async function joinOrStart(
  folder: DataFolder,
  options: Options,
): Promise<Joined & { adopted: boolean }> {
  const found = await adopt(folder, options)
  return { ...(found ?? (await startCluster(folder, options))), adopted: found !== undefined }
}

/** Undefined without a server. A hanging server is stopped unless someone uses it. */
async function adopt(folder: DataFolder, { database, log }: Options): Promise<Joined | undefined> {
  if (!(await exists(folder.cluster))) return undefined
  const cluster = await clusterFolder(folder)
  const postmaster = await findPostmaster(cluster)
  if (postmaster === undefined) return undefined
  const answer = await waitForAnswer(cluster, database, ANSWER_LIMIT_MS)
  if (answer.state === 'ready') return answer
  if (answer.state === 'gone') return undefined
  if (answer.state !== 'hung' || (await hasClients(postmaster))) throw await refusal(folder, answer)
  log('The private PostgreSQL found running does not answer; it is replaced.')
  await endUnusable(cluster)
  return undefined
}

async function startCluster(folder: DataFolder, options: Options): Promise<Joined> {
  const old = await existingPlacement(folder)
  const { placement, binaries } = old
    ? { placement: old, binaries: await findBinaries(folder, old.runAs) }
    : await setUp(folder, options)
  await checkCluster(placement.cluster, binaries)
  await rotateLog(folder)
  return launchUntilReady(folder, placement, binaries, options)
}

async function setUp(
  folder: DataFolder,
  { settings }: Options,
): Promise<{ placement: Placement; binaries: Binaries }> {
  const placement = await newPlacement(folder)
  try {
    const binaries = await findBinaries(folder, placement.runAs)
    await initialize(folder, placement, binaries, settings.fsync !== 'off')
    return { placement, binaries }
  } catch (error) {
    await rm(placement.attempt, { recursive: true, force: true })
    throw error
  }
}

async function launchUntilReady(
  folder: DataFolder,
  placement: Placement,
  binaries: Binaries,
  { database, settings }: Options,
): Promise<Joined> {
  const { cluster } = placement
  const until = Date.now() + ANSWER_LIMIT_MS
  let samePort = true
  for (let launches = 1; ; launches++) {
    const expected = await launch({ folder, placement, binaries, settings, samePort })
    const left = until - Date.now()
    const answer = await waitForAnswer(cluster, database, left, expected).catch(async (error) => {
      await endUnusable(cluster)
      throw error
    })
    if (answer.state === 'ready') return answer
    if (answer.state === 'hung') await endUnusable(cluster)
    const log = await endOfLog(folder)
    if (answer.state !== 'gone' || !isWorthAnother(log, launches, until)) throw await refusal(folder, answer)
    // Backends of a killed server keep its memory for a moment, not its port, where its other users
    // look for this one.
    samePort = !portWasTaken(log)
    await sleep(100)
  }
}

async function endUnusable(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster)
  if (postmaster !== undefined) await stopPostmaster(postmaster, cluster, true)
}

/**
 * True when the port or pid was taken meanwhile, or a killed server's backends are still exiting.
 */
function isWorthAnother(log: string, launches: number, until: number): boolean {
  if (/shared memory block/.test(log)) return Date.now() < until
  return launches < LAUNCHES && (portWasTaken(log) || /lock file .* already exists/.test(log))
}

const portWasTaken = (log: string) => /could not (bind|create any TCP)/.test(log)

async function refusal(folder: DataFolder, { state }: NotJoined): Promise<Error> {
  const what = {
    gone: 'did not start',
    hung: 'runs but does not answer',
    starting: 'is still being set up or recovering, and goes on: start again in a minute',
    busy: 'has no free connection',
  }[state]
  const log = state === 'busy' ? '' : ` Its log ${folder.log} ends: ${await endOfLog(folder)}`
  return new Error(`The private PostgreSQL ${what}.${log}`)
}
