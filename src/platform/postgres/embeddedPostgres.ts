import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.js'
import { addressOf, checkCluster, initialize, ownerRole, servingRole } from './cluster.js'
import { type DataFolder, explainFolderError, openDataFolder, type PlacementOptions } from './dataFolder.js'
import { endLease, type Lease, takeLease } from './lease.js'
import { existingPlacement, newPlacement, type Placement } from './placement.js'
import { findServer } from './runningServer.js'
import { endOfLog, type Installation, startServer, stopServer } from './server.js'

export type EmbeddedServer = {
  /** Connection string of the application's database, as the serving role. */
  url: string
  /** The same as the role that owns the database: for migrations alone. */
  ownerUrl: string
  /** Sentences to print at start, such as where the data is when it could not stay in dataDir. */
  notes: string[]
  /** The last process that uses the server stops it and waits for its end. Idempotent. */
  stop(): Promise<void>
}

export type EmbeddedOptions = PlacementOptions & {
  /** The data folder; the server lives in its subfolder `postgres`. */
  dataDir: string
  /** Default `caretaker`; created when missing, owned by the role `caretaker_owner`. */
  database?: string
  /** More PostgreSQL settings, used only when this process starts the server. */
  settings?: Record<string, string>
  /**
   * For a process that serves: a server that ends by itself, as on a full disk, is started again;
   * called once with the reason while that fails. Without it, what uses the server fails.
   */
  onFailedRestart?: (message: string) => void
  /** Between two such tries, in ms. */
  restartMs?: number
}

/** How long a server that was found running may take to be ready. */
const readyLimitMs = 30_000

/**
 * Starts the private PostgreSQL of a data folder or joins a running one; any number of processes
 * may ask at once. It outlives this process unless `stop` is called. Throws readable errors within
 * bounded time (decisions 5.1 and 5.2).
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const folder = await openDataFolder(options.dataDir, options)
    const placement = (await existingPlacement(folder)) ?? (await setUp(folder, options))
    const installation = { folder, placement, binaries: await findBinaries(folder, placement.runAs) }
    await checkCluster(placement.cluster, installation.binaries)
    return await use(installation, options)
  } catch (error) {
    throw explainFolderError(error, options.dataDir)
  }
}

/** Of several processes that set up one folder at once, one wins, and the others go on with its. */
async function setUp(folder: DataFolder, { settings = {} }: EmbeddedOptions): Promise<Placement> {
  const placement = await newPlacement(folder)
  try {
    const binaries = await findBinaries(folder, placement.runAs)
    await initialize(folder, placement, binaries, settings.fsync !== 'off')
    return placement
  } catch (error) {
    await rm(placement.attempt, { recursive: true, force: true })
    const winner = await existingPlacement(folder)
    if (winner === undefined) throw error
    return winner
  }
}

async function use(installation: Installation, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { cluster } = installation.placement
  const { port, end } = await keepLease(installation, options)
  let stopped: Promise<void> | undefined
  const path = encodeURIComponent(options.database ?? 'caretaker')
  return {
    url: (await addressOf(servingRole, cluster, port)) + path,
    ownerUrl: (await addressOf(ownerRole, cluster, port)) + path,
    notes: notesOn(installation),
    stop: () => (stopped ??= end()),
  }
}

/**
 * Makes this process a user of the server until `end` resolves, which stops the server if no other
 * process uses it. A server that ends by itself is started again, where `onFailedRestart` says so.
 */
async function keepLease(
  installation: Installation,
  options: EmbeddedOptions,
): Promise<{ port: number; end: () => Promise<void> }> {
  const { dataDir, onFailedRestart, restartMs = 10_000 } = options
  const stopping = new AbortController()
  const first = await joinOrStart(installation, options)
  const port = first.port
  let lease = first.lease
  let restarting: Promise<void> | undefined

  const watch = () => {
    lease.once('end', () => {
      if (onFailedRestart !== undefined && !stopping.signal.aborted) restarting = restart(onFailedRestart)
    })
  }
  const restart = async (report: (message: string) => void) => {
    let isReported = false
    while (!stopping.signal.aborted) {
      try {
        // What uses the server goes on asking at this port.
        lease = (await joinOrStart(installation, options, port)).lease
        return watch()
      } catch (error) {
        if (!isReported) report((explainFolderError(error, dataDir) as Error).message)
        isReported = true
        await sleep(restartMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  const end = async () => {
    stopping.abort()
    await restarting
    await endLease(lease, () => stopServer(installation))
  }

  watch()
  return { port, end }
}

/**
 * Several processes may do so at once: PostgreSQL lets one of their servers start. Throws when
 * `requiredPort` is taken, or the server runs at another.
 */
async function joinOrStart(
  installation: Installation,
  { database = 'caretaker', settings = {} }: EmbeddedOptions,
  requiredPort?: number,
): Promise<{ lease: Lease; port: number }> {
  const { folder, placement } = installation
  for (const until = Date.now() + readyLimitMs; ; await sleep(25)) {
    const server = await findServer(placement.cluster)
    if (server === undefined) await startServer(installation, settings, requiredPort)
    else if (server.status === 'ready') {
      if (requiredPort !== undefined && server.port !== requiredPort) throw movedTo(server.port, requiredPort)
      const lease = await takeLease(placement.cluster, server.port, database)
      if (lease !== undefined) return { lease, port: server.port }
    }
    if (Date.now() < until) continue
    const what =
      server?.status === 'ready'
        ? `does not answer. If this goes on, end its process ${server.pid} and start again`
        : 'is still being set up or recovering, and goes on: start again in a minute'
    throw new Error(`The private PostgreSQL ${what}. Its log ${folder.log} ends: ${await endOfLog(folder)}`)
  }
}

/** A process that started later found the port taken, and started the server at another. */
function movedTo(port: number, formerPort: number): Error {
  return new Error(
    `The private PostgreSQL runs at port ${port} now, as another program had its port ${formerPort}. ` +
      'Start this process again.',
  )
}

function notesOn({ folder, placement }: Installation): string[] {
  if (placement.cluster === folder.cluster) return []
  const why = `PostgreSQL may not run as root, and an ordinary user cannot reach ${folder.dataDir}`
  return [`The database files are in ${placement.cluster}: ${why}.`]
}
