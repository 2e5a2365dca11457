import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.js'
import { addressOf, checkCluster, initialize, OWNER_ROLE, SERVING_ROLE } from './cluster.js'
import { type DataFolder, inPlainWords, openDataFolder, type PlacementOptions } from './dataFolder.js'
import { endLease, type Lease, takeLease } from './lease.js'
import { existingPlacement, newPlacement, type Placement } from './placement.js'
import { findServer } from './runningServer.js'
import { endOfLog, type ServerFiles, startServer, stopServer } from './server.js'

export type EmbeddedServer = {
  /** connection string of the application's database, as the serving role */
  url: string
  /** the same as the role that owns the database: for migrations alone */
  ownerUrl: string
  /** sentences to print at start, such as where the data is when it could not stay in dataDir */
  notes: string[]
  /** The last process that uses the server stops it and waits for its end. Idempotent. */
  stop(): Promise<void>
}

export type EmbeddedOptions = PlacementOptions & {
  /** the data folder; the server lives in its subfolder `postgres` */
  dataDir: string
  /** default `caretaker`; created when missing, owned by the role `caretaker_owner` */
  database?: string
  /** more PostgreSQL settings, used only when this process starts the server */
  settings?: Record<string, string>
  /**
   * For a process that serves: a server that ends by itself, as on a full disk, is started again;
   * called once with the reason while that fails. Without it, what uses the server fails.
   */
  onFailedRestart?: (message: string) => void
  /** between two such tries, in ms */
  restartMs?: number
}

/** How long a server that was found running may take to be ready. */
const READY_LIMIT_MS = 30_000

/**
 * Starts the private PostgreSQL of a data folder or joins a running one; any number of processes
 * may ask at once. It outlives this process unless `stop` is called. Throws readable errors within
 * bounded time (decisions 5.1 and 5.2).
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const folder = await openDataFolder(options.dataDir, options)
    const placement = (await existingPlacement(folder)) ?? (await setUp(folder, options))
    const place = { folder, placement, binaries: await findBinaries(folder, placement.runAs) }
    await checkCluster(placement.cluster, place.binaries)
    return await use(place, options)
  } catch (error) {
    throw inPlainWords(error, options.dataDir)
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

async function use(place: ServerFiles, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, database = 'caretaker', onFailedRestart, restartMs = 10_000 } = options
  const { cluster } = place.placement
  const stopping = new AbortController()
  const { port, ...first } = await joinOrStart(place, options)
  let lease = first.lease
  let restarting: Promise<void> | undefined

  const watch = () => {
    lease.once('end', () => {
      if (onFailedRestart !== undefined && !stopping.signal.aborted) restarting = restart(onFailedRestart)
    })
  }
  const restart = async (report: (message: string) => void) => {
    for (let isReported = false; !stopping.signal.aborted; ) {
      try {
        // What uses the server goes on asking at this port.
        lease = (await joinOrStart(place, options, port)).lease
        return watch()
      } catch (error) {
        if (!isReported) report((inPlainWords(error, dataDir) as Error).message)
        isReported = true
        await sleep(restartMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  const leave = async () => {
    stopping.abort()
    await restarting
    await endLease(lease, () => stopServer(place))
  }

  watch()
  let stopped: Promise<void> | undefined
  const path = encodeURIComponent(database)
  return {
    url: (await addressOf(SERVING_ROLE, cluster, port)) + path,
    ownerUrl: (await addressOf(OWNER_ROLE, cluster, port)) + path,
    notes: notesOn(place),
    stop: () => (stopped ??= leave()),
  }
}

/**
 * Several processes may do so at once: PostgreSQL lets one of their servers start. Throws when
 * `requiredPort` is taken, or the server runs at another.
 */
async function joinOrStart(
  place: ServerFiles,
  { database = 'caretaker', settings = {} }: EmbeddedOptions,
  requiredPort?: number,
): Promise<{ lease: Lease; port: number }> {
  const { folder, placement } = place
  for (const until = Date.now() + READY_LIMIT_MS; ; await sleep(25)) {
    const server = await findServer(placement.cluster)
    if (server === undefined) await startServer(place, settings, requiredPort)
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

function notesOn({ folder, placement }: ServerFiles): string[] {
  if (placement.cluster === folder.cluster) return []
  const why = `PostgreSQL may not run as root, and an ordinary user cannot reach ${folder.dataDir}`
  return [`The database files are in ${placement.cluster}: ${why}.`]
}
