import './app/serverArguments.js'

import { execFile } from 'node:child_process'
import type { Server } from 'node:http'
import type { Server as Listener } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createListener } from './app/app.js'
import { beginDraining } from './app/health/healthRoutes.js'
import { metrics } from './app/health/metrics.js'
import { requirePhotoStore, warnAtStart, warnOfSmtpServer } from './app/startChecks.js'
import { welcome } from './app/welcome.js'
import { senders } from './app/wiring.js'
import { stopReading } from './inbound/words/parts/htmlText.js'
import { migrateAs } from './platform/db/migrations/migrate.js'
import { closeDatabase, openConnections, openDatabase } from './platform/db/pools.js'
import { boundedServer } from './platform/http/server/boundedServer.js'
import { drain, listenForAll, portOf } from './platform/http/server/listen.js'
import { removeOldEmails } from './platform/mail/emailFolder.js'
import { startOutbox, stopOutbox } from './platform/outbox/outbox.js'
import { stopDecoding } from './platform/photos/photoProcessor.js'
import { config } from './platform/process/config.js'
import { removeStaleFiles } from './platform/process/files.js'
import { log } from './platform/process/log.js'
import { runUntilStopped, type Stop } from './platform/process/runUntilStopped.js'
import { startTracing } from './platform/process/tracing.js'
import { version } from './platform/process/version.js'
import { announceStatus } from './status/announceStatus.js'
import { networkOf } from './vocabulary/people/network.js'

/** Milliseconds; older uploads belong to a killed process. */
const hour = 3_600_000

/**
 * The embedded default has no other process to run the schedule; with DATABASE_URL the worker does.
 */
const runsSchedule = config.scheduler === null ? config.embedded : config.scheduler === 'on'

/**
 * Starts everything in order and prints the address; adds a stop function to `stops` for each.
 * Throws when told to stop.
 */
async function start(stops: Stop[], stopping: AbortSignal): Promise<void> {
  stops.push(await startTracing('web'))
  const embedded = config.embedded ? await startEmbeddedServer() : null
  if (embedded) stops.push(() => embedded.stop())
  stopping.throwIfAborted()
  if (embedded) await migrateAs(embedded.ownerUrl, embedded.url)
  const databaseUrl = embedded?.url ?? config.databaseUrl!
  openDatabase(databaseUrl, config.databasePool, { as: 'web' })
  stops.push(closeDatabase, stopReading, stopDecoding)
  const demo = embedded ? await fillDemo(stopping) : { seeded: false, demoAccounts: [] }
  stopping.throwIfAborted()
  await requirePhotoStore()
  if (!embedded) await openConnections()
  void warnAtStart()
  startOutbox(senders(), announceStatus)
  stops.push(stopOutbox)
  const schedule = runsSchedule ? await startOwnSchedule(databaseUrl) : null
  // Together: both may have to wait for someone who does not answer.
  if (schedule) stops.push(() => Promise.all([schedule.stop(), stopOutbox()]))
  const { server, listeners } = await serve()
  stops.push(() => {
    beginDraining()
    return drain(server, listeners)
  })
  stopping.throwIfAborted()
  if (embedded) process.stdout.write(welcome({ port: portOf(server), ...demo, notes: embedded.notes }))
  log.info({ version, port: portOf(server) }, 'listening')
  setTimeout(afterFirstPage, 1_000).unref()
}

/** What people who wait for the first page need not wait for: both load libraries. */
function afterFirstPage(): void {
  if (config.metricsToken) void metrics()
  void warnOfSmtpServer()
}

// Loaded only when used: a web process with DATABASE_URL starts neither the embedded server nor, as
// a rule, a schedule.

async function startEmbeddedServer() {
  const { startEmbeddedPostgres } = await import('./platform/postgres/embeddedPostgres.js')
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    onFailedRestart: (message) => log.warn(message),
  })
}

async function startOwnSchedule(databaseUrl: string) {
  const { startSchedule } = await import('./app/schedule.js')
  return startSchedule(databaseUrl)
}

async function serve(): Promise<{ server: Server; listeners: Listener[] }> {
  const clean = async () => {
    await removeStaleFiles(config.uploadDir, hour)
    await removeOldEmails()
  }
  await clean()
  // Not only a scheduled job: these folders may be local to this process, and the worker elsewhere
  // or absent.
  setInterval(clean, hour).unref()
  const server = boundedServer(createListener(), { networkOf: clientNetwork })
  const listeners = await listenForAll(server)
  // PORT=0 picks a free port: links, and the ports forbidden to webhooks, need the real one.
  config.port = portOf(server)
  return { server, listeners }
}

/**
 * No limit behind a proxy, which owns all connections and counts its own clients, nor for loopback
 * clients.
 */
function clientNetwork(address: string): string | null {
  const network = config.trustProxy ? null : networkOf(address)
  return network?.startsWith('127.') || address === '::1' ? null : network
}

/**
 * Outside production, the embedded default is filled with the demo building (decision 5.2). Returns
 * whether it was now, and the addresses of the demo's accounts that can sign in.
 */
async function fillDemo(stopping: AbortSignal): Promise<{ seeded: boolean; demoAccounts: string[] }> {
  if (config.production) return { seeded: false, demoAccounts: [] }
  const { demoAccounts, needsDemo } = await import('./demo/seed.js')
  const seeded = await needsDemo()
  if (seeded) await seedInChild(stopping)
  return { seeded, demoAccounts: await demoAccounts() }
}

/** Fills the demo building in a child process, whose memory is given back as a whole. */
async function seedInChild(stopping: AbortSignal): Promise<void> {
  stopping.throwIfAborted()
  const seeding = promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../jobs/seed.js', import.meta.url)),
  ])
  // Not execFile's own `signal`: it does not wait for the child, which uses the database until it
  // ends.
  stopping.addEventListener('abort', () => seeding.child.kill('SIGKILL'), { once: true })
  await seeding
}

function explained({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return `Port ${config.port} is taken, perhaps by another Caretaker. Set PORT to a free one.`
  return message
}

runUntilStopped(start, explained)
