import { spawn } from 'node:child_process'
import { open, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Binaries } from './binaries.js'
import type { DataFolder } from './dataFolder.js'
import type { Placement } from './placement.js'
import { environmentOn } from './postmaster.js'
import { NEUTRAL_FOLDER } from './runAs.js'

/**
 * Sized for one building on a small machine; the log holds nothing that people typed. Decision 5.2.
 */
const DEFAULTS: Record<string, string> = {
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

type Launch = {
  folder: DataFolder
  placement: Placement
  binaries: Binaries
  settings: Record<string, string>
  /** reuse the last server's port when it is free, else any */
  samePort: boolean
}

/**
 * Starts the postmaster in a session of its own, out of reach of Ctrl-C and of this process's end,
 * writing to the log file. The returned function tells whether it still runs. Decision 5.2.
 */
export async function launch({
  folder,
  placement,
  binaries,
  settings,
  samePort,
}: Launch): Promise<() => boolean> {
  const { cluster, runAs } = placement
  const port = (samePort && (await freePort(await lastPort(cluster)))) || (await freePort(0))
  const all = Object.entries({ ...DEFAULTS, ...settings, port: String(port) })
  const args = all.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const env = await environmentOn(cluster)
  const [command, ...rest] = runAs.wrap(binaries.postgres, ['-D', cluster, ...args])
  const log = await open(folder.log, 'a', 0o600)
  const stdio = ['ignore' as const, log.fd, log.fd]
  const child = spawn(command, rest, { ...runAs.server, cwd: NEUTRAL_FOLDER, env, detached: true, stdio })
  let running = true
  for (const end of ['error', 'exit']) child.on(end, () => (running = false))
  child.unref()
  await log.close()
  return () => running
}

/** Keeps one older log, so that a crash can be read about after the next start. */
export async function rotateLog({ log }: DataFolder): Promise<void> {
  await rename(log, `${log}.1`).catch(() => undefined)
}

/** The last six lines of the log. */
export async function endOfLog({ log }: DataFolder): Promise<string> {
  return (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-6).join('\n')
}

/** PostgreSQL stores the arguments of its last start. */
async function lastPort(cluster: string): Promise<number> {
  const words = await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => '')
  return Number(/"port=(\d+)"/.exec(words)?.[1] ?? 0)
}

/** The port if it is free, any for 0; undefined when it is taken. */
async function freePort(wanted: number): Promise<number | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
