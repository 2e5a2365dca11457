import { startEmbeddedPostgres } from '../../../src/platform/postgres/embeddedPostgres.js'
import { makeDataFolder } from '../database.js'
import { giveOwnPort, leaveRunning } from '../embedded/changedCluster.js'
import { childrenOf, gone, runs } from '../suite/processes.js'

/** A PostgreSQL of one test's own with the demo building, which can be sent away and comes back at the same address. */
export type OwnPostgres = {
  url: string
  /** Sends a signal to the server itself: SIGTERM waits for its clients, SIGINT does not. */
  signal: (signal: NodeJS.Signals) => void
  /** Halts the server and all its sessions: connections stay, and nothing is answered. */
  freeze: () => void
  /** Waits until the server has ended. */
  ended: () => Promise<void>
  /** Brings it back from either. */
  back: () => Promise<void>
  end: () => Promise<void>
}

/** Starts it in a folder that is not there yet. */
export async function startOwnPostgres(dataDir: string): Promise<OwnPostgres> {
  makeDataFolder(dataDir)
  await giveOwnPort(dataDir)
  const first = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await first.stop()
  const { port: wanted } = new URL(first.url)
  const start = async () => {
    // Somebody else may have had the port for a moment.
    for (let tries = 0; tries < 20; tries++) {
      const started = await leaveRunning(dataDir, { samePort: true })
      if (started.port === Number(wanted)) return started
      process.kill(started.pid, 'SIGINT')
      await gone(started.pid)
    }
    throw new Error(`port ${wanted} is taken`)
  }
  let { pid } = await start()
  const all = () => [pid, ...childrenOf(pid)]
  return {
    url: first.url,
    signal: (signal) => void process.kill(pid, signal),
    freeze: () => {
      for (const each of all()) tell(each, 'SIGSTOP')
    },
    ended: () => gone(pid),
    back: async () => {
      if (runs(pid)) for (const each of all()) tell(each, 'SIGCONT')
      else ({ pid } = await start())
    },
    end: async () => {
      if (!runs(pid)) return
      for (const each of all()) tell(each, 'SIGCONT')
      process.kill(pid, 'SIGINT')
      await gone(pid)
    },
  }
}

/** A session may have ended since it was listed. */
function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
