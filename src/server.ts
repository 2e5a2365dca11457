import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startSchedule } from '../jobs/schedule.js'
import { senders } from '../jobs/senders.js'
import { announceStatus } from './actions/announceStatus.js'
import { stopReading } from './adapters/mailBody.js'
import { removeStaleUploads } from './adapters/uploads.js'
import { createListener } from './app.js'
import { config } from './config.js'
import { closeDatabase, openDatabase } from './database.js'
import { needsDemo } from './demo/seed.js'
import { startEmbeddedPostgres } from './embeddedPostgres.js'
import { log } from './log.js'
import { migrate } from './migrate.js'
import { startOutbox, stopOutbox } from './outbox.js'
import { beginDraining } from './routes/health.js'
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
    openDatabase(embedded?.url ?? config.databaseUrl!)
    const seeded = embedded ? await prepare() : false
    startOutbox(senders(), async (assets) => void (await announceStatus(assets)))
    const schedule = runsSchedule ? await startSchedule(embedded?.url ?? config.databaseUrl!) : null
    const server = await serve()
    if (embedded) process.stdout.write(welcome({ port: portOf(server), seeded, notes: embedded.notes }))
    log.info({ port: portOf(server) }, 'listening')
    stopOnSignal(async () => {
      await drain(server)
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

async function serve(): Promise<Server> {
  await removeStaleUploads(config.uploadDir, hour)
  const server = createServer(createListener())
  limitSlowClients(server)
  await listen(server)
  return server
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** The embedded default brings its schema and, outside production, its demo building (decision 5.2). */
async function prepare(): Promise<boolean> {
  await migrate()
  if (config.production || !(await needsDemo())) return false
  // In a process of its own: drawing and storing the demo's photos would leave this one at twice its size for good.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../jobs/seed.js', import.meta.url))])
  return true
}

/** A sender of one byte a second must not hold a connection for minutes. */
function limitSlowClients(server: Server): void {
  server.headersTimeout = 15_000
  server.requestTimeout = 120_000
  server.keepAliveTimeout = 65_000
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: config.port, ...(config.host ? { host: config.host } : {}) }, resolve)
  })
}

/** No new connection, answers under way to their end, idle connections closed. */
async function drain(server: Server): Promise<void> {
  beginDraining()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const late = setTimeout(() => server.closeAllConnections(), drainTime)
  await closed
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
