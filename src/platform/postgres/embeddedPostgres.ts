import { rm } from 'node:fs/promises'
import { findBinaries } from './binaries.js'
import { addressOf, checkCluster, initialize, ownerRole, servingRole } from './cluster.js'
import { type DataFolder, explainFolderError, openDataFolder, type PlacementOptions } from './dataFolder.js'
import { existingPlacement, newPlacement, type Placement } from './placement.js'
import type { Installation } from './server.js'
import { type UseOptions, useServer } from './useServer.js'

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

export type EmbeddedOptions = PlacementOptions & UseOptions

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
    return await joinServer(installation, options)
  } catch (error) {
    throw explainFolderError(error, options.dataDir)
  }
}

/** Several processes may set up one folder at once: one wins, and all use the cluster it made. */
async function setUp(folder: DataFolder, { settings = {} }: EmbeddedOptions): Promise<Placement> {
  const placement = await newPlacement(folder)
  try {
    const binaries = await findBinaries(folder, placement.runAs)
    await initialize(folder, placement, binaries, settings.fsync !== 'off')
    return placement
  } catch (error) {
    await rm(placement.unfinished, { recursive: true, force: true })
    const winner = await existingPlacement(folder)
    if (winner === undefined) throw error
    return winner
  }
}

async function joinServer(installation: Installation, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { cluster } = installation.placement
  const { port, end } = await useServer(installation, options)
  let stopped: Promise<void> | undefined
  const path = encodeURIComponent(options.database ?? 'caretaker')
  return {
    url: (await addressOf(servingRole, cluster, port)) + path,
    ownerUrl: (await addressOf(ownerRole, cluster, port)) + path,
    notes: notesOn(installation),
    stop: () => (stopped ??= end()),
  }
}

function notesOn({ folder, placement }: Installation): string[] {
  if (placement.cluster === folder.cluster) return []
  const why = `PostgreSQL may not run as root, and an ordinary user cannot reach ${folder.dataDir}`
  return [`The database files are in ${placement.cluster}: ${why}.`]
}
