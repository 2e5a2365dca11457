import { openDataFolder } from '../../src/platform/postgres/dataFolder.js'
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/platform/postgres/embeddedPostgres.js'
import { clusterFolder } from '../../src/platform/postgres/placement.js'
import { findServer } from '../../src/platform/postgres/runningServer.js'
import { giveOwnPort } from '../../test/support/postgres/changedCluster.js'
import { childrenOf } from '../../test/support/run/processes.js'

/** The server's word that a transaction is stored: its tag, as it goes over the wire. */
export const committed = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/**
 * A PostgreSQL of the run's own that can be killed, stopped and frozen, as durable as a building's.
 */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Starts the server of a data folder. */
export async function startPostgres(dataDir: string) {
  await giveOwnPort(dataDir)
  const start = () => startEmbeddedPostgres({ dataDir, settings: { max_connections: '100' } })
  const servers: EmbeddedServer[] = [await start()]
  const cluster = await clusterFolder(await openDataFolder(dataDir))
  const postmaster = async () => (await findServer(cluster))?.pid
  /** The postmaster first, then its children. */
  const pids = async () => {
    const parent = await postmaster()
    return parent === undefined ? [] : [parent, ...childrenOf(parent)]
  }
  return {
    url: servers[0]!.url,
    ownerUrl: servers[0]!.ownerUrl,
    /** Sends a signal to the postmaster, or to it and all it started. */
    signal: async (signal: NodeJS.Signals, { all = false } = {}) => {
      const serverPids = await pids()
      for (const pid of all ? serverPids : serverPids.slice(0, 1)) tell(pid, signal)
    },
    isGone: async () => (await postmaster()) === undefined,
    /** Starts it again on the same port, recovering what a kill left. */
    start: async () => {
      servers.push(await start())
      if (servers.at(-1)!.url !== servers[0]!.url) throw new Error('PostgreSQL came back at another address')
    },
    end: async () => {
      for (const server of servers) await server.stop().catch(() => {})
    },
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
