import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, rename, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.js'
import type { DataFolder } from './dataFolder.js'
import { readOrEmpty } from './folderTree.js'
import type { Placement } from './placement.js'
import { childEnvironment, neutralFolder, runAsUser } from './runAs.js'
import { findServer, removePidOfStranger } from './runningServer.js'

/** What starts and stops the server of a data folder. */
export type Installation = { folder: DataFolder; placement: Placement; binaries: Binaries }

/**
 * Sized for one building on a small machine; the log holds nothing that people typed. Decision 5.2.
 */
const defaultSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  jit: 'off',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  datestyle: 'ISO',
  // Statement errors go to the application only: their text may contain user input.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Long enough to recover all the log that max_wal_size allows. */
const startLimitSeconds = 30
/** For each way to stop. The next start recovers from an immediate one. */
const stopLimitSeconds = 10
const mostTries = 5

/**
 * Starts the server, at its last port if that is free, and waits until it is ready; with
 * `requiredPort` at no other. When another process was faster, or recovery takes longer, a server
 * runs that is not ready yet. Throws the end of the log when none does.
 */
export async function startServer(
  installation: Installation,
  settings: Record<string, string>,
  requiredPort?: number,
): Promise<void> {
  const { folder, placement } = installation
  await keepFormerLog(folder)
  const until = Date.now() + startLimitSeconds * 1_000
  let failure: StartFailure | null = null
  for (let tries = 1; ; tries++) {
    await removePidOfStranger(placement.cluster)
    const port = await choosePort(placement.cluster, { requiredPort, failure })
    if (port !== null && (await runPgCtlStart(installation, { ...settings, port: String(port) }))) return
    if ((await findServer(placement.cluster)) !== undefined) return
    failure = port === null ? 'requiredPortTaken' : failureIn(await endOfLog(folder))
    const mayWorkNow = failure === 'memoryInUse' ? Date.now() < until : tries < mostTries
    if (failure === 'other' || !mayWorkNow) throw await startError(installation, failure, requiredPort)
    await sleep(100)
  }
}

/**
 * Why no server started. `memoryInUse`: processes of a killed server keep its memory for a moment.
 * `portTaken`: another was faster. `requiredPortTaken`: perhaps only for a moment, by another
 * process that looks whether it is free.
 */
type StartFailure = 'memoryInUse' | 'portTaken' | 'requiredPortTaken' | 'other'

function failureIn(log: string): StartFailure {
  if (/shared memory block/.test(log)) return 'memoryInUse'
  return /could not (bind|create any TCP)|lock file .* already exists/.test(log) ? 'portTaken' : 'other'
}

/**
 * The port to start at: the required one, null when it is taken; else that of the last start if it
 * is free and was not taken just before (`failure`), or any.
 */
async function choosePort(
  cluster: string,
  { requiredPort, failure }: { requiredPort: number | undefined; failure: StartFailure | null },
): Promise<number | null> {
  if (requiredPort !== undefined) return freePort(requiredPort)
  const last = failure === 'portTaken' ? null : await freePort(await lastPort(cluster))
  return last ?? freePort(0)
}

async function startError(
  { folder, placement }: Installation,
  failure: StartFailure,
  requiredPort: number | undefined,
): Promise<Error> {
  if (failure === 'requiredPortTaken')
    return new Error(`Another program has the private PostgreSQL's port ${requiredPort}.`)
  // A full disk takes no word into the log either.
  const { bavail } = await statfs(placement.cluster)
  if (bavail === 0) return new Error('No space left on device')
  return new Error(
    `The private PostgreSQL did not start. Its log ${folder.log} ends: ${await endOfLog(folder)}`,
  )
}

/**
 * One older log is kept, so that a crash can be read about after the next start. The log of tries
 * that failed is added to instead: it must not take the place of the one that says why they began.
 */
async function keepFormerLog({ log }: DataFolder): Promise<void> {
  if (!(await readOrEmpty(log)).includes('ready to accept connections')) return
  // Another process that starts the server at the same moment may have been faster.
  await rename(log, `${log}.1`).catch(() => undefined)
}

/**
 * `pg_ctl start` in a session of its own, out of reach of Ctrl-C; the server goes on when this
 * process ends. False when it is not ready in time, or ended.
 */
async function runPgCtlStart(
  { folder, placement, binaries }: Installation,
  settings: Record<string, string>,
): Promise<boolean> {
  const options = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // By this -D the process list tells which server it is.
  const forServer = ['-D', placement.cluster].concat(options).map(forShell).join(' ')
  const log = await open(folder.log, 'a', 0o600)
  // Told which program to start, it doesn't ask that for its version first.
  const args = [
    'start',
    '-p',
    binaries.postgres,
    '-w',
    '-s',
    '-t',
    String(startLimitSeconds),
    '-o',
    forServer,
  ]
  const child = spawn(binaries.pgCtl, args, {
    ...placement.runAs.server,
    cwd: neutralFolder,
    env: { ...childEnvironment, PGDATA: placement.cluster },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const [code] = await once(child, 'exit').finally(() => log.close())
  return code === 0
}

/** `pg_ctl` starts the server through a shell. */
function forShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Stops the server and waits for its end. Throws when it goes on. */
export async function stopServer({ placement, binaries }: Installation): Promise<void> {
  const wait = ['-w', '-s', '-t', String(stopLimitSeconds), '-D', placement.cluster]
  for (const mode of ['fast', 'immediate']) {
    const args = ['stop', ...wait, '-m', mode]
    const { ok } = await runAsUser(placement.runAs, binaries.pgCtl, args, {
      limitMs: (stopLimitSeconds + 5) * 1_000,
    })
    if (ok || (await findServer(placement.cluster)) === undefined) return
  }
  throw new Error(`The private PostgreSQL on ${placement.cluster} isn't stopping.`)
}

/** The last six lines of the log. */
export async function endOfLog({ log }: DataFolder): Promise<string> {
  return (await readOrEmpty(log)).trim().split('\n').slice(-6).join('\n')
}

/** PostgreSQL stores the arguments of its last start. */
async function lastPort(cluster: string): Promise<number> {
  return Number(/"port=(\d+)"/.exec(await readOrEmpty(join(cluster, 'postmaster.opts')))?.[1] ?? 0)
}

/** The port if it is free, any for 0; null when it is taken. */
async function freePort(wanted: number): Promise<number | null> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
