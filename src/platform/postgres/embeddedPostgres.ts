import { constants, open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DataFolder, exists, inPlainWords, openDataFolder, type PlacementOptions } from './dataFolder.js'
import { close, isLast, keepLease } from './lease.js'
import { clusterFolder } from './placement.js'
import { stopPostmaster } from './postmaster.js'
import { joinOrStart, type Options } from './startServer.js'

/** libuv's UV_FS_O_EXLOCK, missing from Node's constants: opens a file for one process only. */
const ALONE = 0x20 | constants.O_NONBLOCK
const HELD = ['EADDRINUSE', 'EAGAIN', 'EBUSY']

type Release = () => Promise<void>

/**
 * Runs `work` while no other call on this machine, in any process, does so with the same existing
 * folder. The system frees the lock when its holder dies. Throws after `waitMs`. Decision 5.2.
 */
export async function withMutex<T>(folder: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const release = await acquire(folder, waitMs)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function acquire(folder: string, waitMs: number): Promise<Release> {
  const lock = process.platform === 'linux' ? lockByName : lockByFile
  for (const until = Date.now() + waitMs; ; await sleep(25)) {
    try {
      return await lock(folder)
    } catch (error) {
      if (!HELD.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    if (Date.now() > until)
      throw new Error(`Waited ${waitMs / 1000} s for another process to start the private PostgreSQL.`)
  }
}

/** Linux: an abstract socket name, which the kernel gives to one process at a time. */
async function lockByName(folder: string): Promise<Release> {
  const { dev, ino } = await stat(folder)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ path: `\0caretaker-${dev}-${ino}`, exclusive: true }, resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** macOS and BSD: a file opened for one process only. */
async function lockByFile(folder: string): Promise<Release> {
  const file = await open(join(folder, 'lock'), constants.O_CREAT | ALONE, 0o600)
  return () => file.close()
}

export type EmbeddedServer = {
  /** connection string of the application's database, as the serving role */
  url: string
  /** the same as the role that owns the database: for migrations alone */
  ownerUrl: string
  /** true when the server was already running: left by a killed process, or in use by others */
  adopted: boolean
  /** sentences to print at start, such as where the data is when it could not stay in dataDir */
  notes: string[]
  /**
   * releases the server; the last live process using it stops it and waits for its end. Idempotent.
   */
  stop(): Promise<void>
}

export type EmbeddedOptions = PlacementOptions & {
  /** the data folder; the server lives in its subfolder `postgres` */
  dataDir: string
  /** default `caretaker`; created when missing, owned by the role `caretaker_owner` */
  database?: string
  /**
   * more PostgreSQL settings, used only when this process starts the server; values without spaces
   */
  settings?: Record<string, string>
  /** warnings: a server that hung, or could not be started again */
  log?: (message: string) => void
  /**
   * how long the server may be gone until this process starts it again, and between two tries, in
   * ms
   */
  goneMs?: number
}

/** The mutex is held for no longer than one setup and start. */
const ENTER_LIMIT_MS = 90_000

/**
 * Starts the private PostgreSQL of a data folder or joins a running one; any number of processes
 * may ask at once. It outlives this process unless `stop` is called. Throws readable errors within
 * bounded time (decisions 5.1 and 5.2).
 */
export async function startEmbeddedPostgres(given: EmbeddedOptions): Promise<EmbeddedServer> {
  const options = { database: 'caretaker', settings: {}, log: () => undefined, goneMs: 10_000, ...given }
  try {
    const folder = await openDataFolder(given.dataDir, given)
    return await withMutex(folder.own, ENTER_LIMIT_MS, () => enter(folder, options))
  } catch (error) {
    throw inPlainWords(error, given.dataDir)
  }
}

async function enter(folder: DataFolder, options: Options & { goneMs: number }): Promise<EmbeddedServer> {
  const { held, url, ownerUrl, nonDurable, adopted } = await joinOrStart(folder, options)
  const cluster = await clusterFolder(folder)
  let isSaid = false
  const startAgain = async () => {
    // Of a data folder that is gone, nothing is left to serve.
    if (!(await exists(cluster))) return undefined
    try {
      const { held } = await withMutex(folder.own, ENTER_LIMIT_MS, () => joinOrStart(folder, options))
      isSaid = false
      return held
    } catch (error) {
      if (!isSaid) options.log((error as Error).message)
      isSaid = true
      return undefined
    }
  }
  const release = keepLease(cluster, held, { startAgain, goneMs: options.goneMs })
  const leave = async () => {
    const { client, postmaster } = await release()
    // The data folder was removed: no other process can join, and no data is left to save. The
    // server finds out by itself, drops the lease, and answers for a while yet.
    const isRemoved = !(await exists(folder.own))
    if (isRemoved || (client && (await isLast(client).catch(() => false))))
      await stopPostmaster(postmaster, cluster, isRemoved)
    if (client) await close(client)
  }
  let stopped: Promise<void> | undefined
  const notes = notesOn(
    folder,
    cluster,
    nonDurable.filter((name) => !Object.hasOwn(options.settings, name)),
  )
  return { url, ownerUrl, adopted, notes, stop: () => (stopped ??= leave()) }
}

function notesOn(folder: DataFolder, cluster: string, nonDurable: string[]): string[] {
  const notes = nonDurable.map(
    (name) => `The database runs with ${name} off: a power cut may lose what was saved.`,
  )
  if (cluster === folder.cluster) return notes
  const why = `PostgreSQL may not run as root, and an ordinary user cannot reach ${folder.dataDir}`
  return [...notes, `The database files are in ${cluster}: ${why}.`]
}
