import { setTimeout as sleep } from 'node:timers/promises'
import { explainFolderError } from './dataFolder.js'
import { endLease, type Lease, takeLease } from './lease.js'
import { findServer } from './runningServer.js'
import { endOfLog, type Installation, startServer, stopServer } from './server.js'

export type UseOptions = {
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
 * Makes this process a user of the server until `end` resolves, which stops the server if no other
 * process uses it.
 */
export async function useServer(
  installation: Installation,
  options: UseOptions,
): Promise<{ port: number; end: () => Promise<void> }> {
  const stopping = new AbortController()
  const { port, ...first } = await joinOrStart(installation, options)
  let { lease } = first

  async function restartWheneverItEnds(): Promise<void> {
    while (!stopping.signal.aborted) {
      await endOf(lease, stopping.signal)
      lease = (await rejoin(installation, options, port, stopping.signal)) ?? lease
    }
  }
  const restarting = options.onFailedRestart && restartWheneverItEnds()
  const end = async () => {
    stopping.abort()
    await restarting
    await endLease(lease, () => stopServer(installation))
  }
  return { port, end }
}

/** Resolves when the server has ended, or this process stops using it. */
function endOf(lease: Lease, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    lease.once('end', resolve)
    stopping.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Starts the server again at `port`, where everything that uses it goes on asking, or joins one
 * that another process has started there. Tries until that succeeds; null when this process stops
 * first.
 */
async function rejoin(
  installation: Installation,
  options: UseOptions,
  port: number,
  stopping: AbortSignal,
): Promise<Lease | null> {
  const { dataDir, onFailedRestart, restartMs = 10_000 } = options
  for (let isReported = false; !stopping.aborted; isReported = true) {
    try {
      return (await joinOrStart(installation, options, port)).lease
    } catch (error) {
      if (!isReported) onFailedRestart?.((explainFolderError(error, dataDir) as Error).message)
      await sleep(restartMs, undefined, { ref: false, signal: stopping }).catch(() => undefined)
    }
  }
  return null
}

/**
 * Joins the server that runs, or starts one. Several processes may do so at once: PostgreSQL lets
 * one of their servers start. Throws when `requiredPort` is taken, or the server runs at another.
 */
async function joinOrStart(
  installation: Installation,
  { database = 'caretaker', settings = {} }: UseOptions,
  requiredPort?: number,
): Promise<{ lease: Lease; port: number }> {
  const { folder, placement } = installation
  for (const until = Date.now() + readyLimitMs; ; await sleep(25)) {
    const server = await findServer(placement.cluster)
    if (server === undefined) await startServer(installation, settings, requiredPort)
    else if (server.status === 'ready') {
      if (requiredPort !== undefined && server.port !== requiredPort)
        throw portChangedError(server.port, requiredPort)
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
function portChangedError(port: number, formerPort: number): Error {
  return new Error(
    `The private PostgreSQL runs at port ${port} now, as another program had its port ${formerPort}. ` +
      'Start this process again.',
  )
}
