import { execFile } from 'node:child_process'
import type { Server } from 'node:http'
import type { Server as Listener } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { announceStatus } from './actions/status/announceStatus.js'
import { stopReading } from './adapters/mail/mailBody.js'
import { removeStaleUploads } from './adapters/photos/uploads.js'
import { boundedServer } from './adapters/system/boundedServer.js'
import { createListener } from './app.js'
import { config } from './config.js'
import { closeDatabase, openDatabase } from './database.js'
import { needsDemo } from './demo/seed.js'
import { networkOf } from './domain/accounts/network.js'
import { startEmbeddedPostgres } from './embeddedPostgres.js'
import { closed, listen, portOf } from './listen.js'
import { log } from './log.js'
import { migrateAs } from './migrate.js'
import { startOutbox, stopOutbox } from './outbox.js'
import { beginDraining } from './routes/system/health.js'
import { startSchedule } from './schedule.js'
import { senders } from './senders.js'
import { warnAtStart } from './warnings.js'
import { welcome } from './welcome.js'

/** Longest time requests under way may take once we were told to stop, in ms; platforms kill at 30 s. */
const drainTime = 20_000
/** Uploads older than this belong to a process that was killed. */
const hour = 3_600_000

/** In the embedded default nobody else would run the schedule; with a database of its own that is the worker's. */
const runsSchedule = config.scheduler === null ? config.embedded : config.scheduler === 'on'

/** Starts everything this process runs, prints where it is, and stops it in order on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const embedded = config.embedded ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : null
  const leave = async () => {
    await closeDatabase()
    await embedded?.stop()
  }
  try {
    if (embedded) await migrateAs(embedded.ownerUrl, embedded.url)
    openDatabase(embedded?.url ?? config.databaseUrl!)
    const seeded = embedded ? await fillDemo() : false
    void warnAtStart()
    startOutbox(senders(), async (assets) => void (await announceStatus(assets)))
    const schedule = runsSchedule ? await startSchedule(embedded?.url ?? config.databaseUrl!) : null
    const { server, listeners } = await serve()
    if (embedded) process.stdout.write(welcome({ port: portOf(server), seeded, notes: embedded.notes }))
    log.info({ port: portOf(server) }, 'listening')
    stopOnSignal(async () => {
      await drain(server, listeners)
      await schedule?.stop()
      await stopOutbox()
      await stopReading()
      await leave()
    })
  } catch (error) {
    await leave()
    throw error
  }
}

async function serve(): Promise<{ server: Server; listeners: Listener[] }> {
  const clean = () => removeStaleUploads(config.uploadDir, hour)
  await clean()
  // Not left to the schedule: this disk may be this process's own, and its worker elsewhere, or nowhere.
  setInterval(clean, hour).unref()
  const server = boundedServer(createListener(), { networkOf: clientNetwork })
  const listeners = await listen(server)
  // PORT=0 asks for any: links and the ports webhooks may not go to follow the one it got.
  config.port = portOf(server)
  return { server, listeners }
}

/** Behind a proxy all connections are the proxy's, which counts its own clients; on this machine nobody is a stranger. */
function clientNetwork(address: string): string | null {
  const network = config.trustProxy ? null : networkOf(address)
  return network?.startsWith('127.') || address === '::1' ? null : network
}

/** The embedded default brings, outside production, its demo building (decision 5.2). */
async function fillDemo(): Promise<boolean> {
  if (config.production || !(await needsDemo())) return false
  // In a process of its own: storing the demo's photos would leave this one at twice its size for good.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../jobs/seed.js', import.meta.url))])
  return true
}

/** No new connection, answers under way to their end, idle connections closed. */
async function drain(server: Server, listeners: Listener[]): Promise<void> {
  beginDraining()
  const ended = closed(...listeners)
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const late = setTimeout(() => server.closeAllConnections(), drainTime)
  await ended
  clearInterval(idle)
  clearTimeout(late)
}

/** Platforms repeat SIGTERM and people press Ctrl-C twice: only the first one counts, and it is let finish. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const begin = (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}

function fail(error: unknown): never {
  log.fatal({ error }, 'stopped')
  process.stderr.write(`${explained(error)}\n`)
  process.exit(1)
}

function explained(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${config.port} is taken, perhaps by another Caretaker. Set PORT to a free one.`
  return message
}

process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'))
main().catch(fail)
