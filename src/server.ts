import { execFile } from 'node:child_process'
import { once } from 'node:events'
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

/** Runs everything until SIGTERM or SIGINT, which may come while it starts, and stops in order what had begun by then. */
async function main(): Promise<void> {
  const stopping = toldToStop()
  const ends: End[] = []
  try {
    await start(ends, stopping)
    if (!stopping.aborted) await once(stopping, 'abort')
  } catch (error) {
    if (!stopping.aborted) throw error
    log.info({ error }, 'stopped while it started')
  } finally {
    await endAll(ends)
  }
}

/** Stops one thing that was begun. */
type End = () => Promise<unknown>

/** Starts one thing after the other and prints where it is; `ends` grows by how to stop each. Throws when told to stop. */
async function start(ends: End[], stopping: AbortSignal): Promise<void> {
  const embedded = config.embedded ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : null
  if (embedded) ends.push(() => embedded.stop())
  stopping.throwIfAborted()
  if (embedded) await migrateAs(embedded.ownerUrl, embedded.url)
  const databaseUrl = embedded?.url ?? config.databaseUrl!
  openDatabase(databaseUrl)
  ends.push(closeDatabase, stopReading)
  const seeded = embedded ? await fillDemo(stopping) : false
  stopping.throwIfAborted()
  void warnAtStart()
  startOutbox(senders(), async (assets) => void (await announceStatus(assets)))
  ends.push(stopOutbox)
  const schedule = runsSchedule ? await startSchedule(databaseUrl) : null
  ends.push(async () => schedule?.stop())
  const { server, listeners } = await serve()
  ends.push(() => drain(server, listeners))
  stopping.throwIfAborted()
  if (embedded) process.stdout.write(welcome({ port: portOf(server), seeded, notes: embedded.notes }))
  log.info({ port: portOf(server) }, 'listening')
}

/** What began last is stopped first, also when stopping another failed. Throws the first failure. */
async function endAll(ends: End[]): Promise<void> {
  const failures: unknown[] = []
  for (const end of ends.reverse()) await end().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
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
async function fillDemo(stopping: AbortSignal): Promise<boolean> {
  if (config.production || !(await needsDemo())) return false
  stopping.throwIfAborted()
  // In a process of its own: storing the demo's photos would leave this one at twice its size for good.
  const seeding = promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../jobs/seed.js', import.meta.url)),
  ])
  // Not execFile's own `signal`, which does not wait for the end: as long as it lives, the database has a user.
  stopping.addEventListener('abort', () => seeding.child.kill('SIGKILL'), { once: true })
  await seeding
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
function toldToStop(): AbortSignal {
  const told = new AbortController()
  const stop = (signal: string) => {
    if (told.signal.aborted) return
    log.info({ signal }, 'stopping')
    told.abort()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return told.signal
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
main().then(() => process.exit(0), fail)
