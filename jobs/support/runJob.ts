import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { type JobMessage, jobFailed } from '../../src/app/schedule.js'
import { senders } from '../../src/app/wiring.js'
import { migrateAs } from '../../src/platform/db/migrations/migrate.js'
import { closeDatabase, openDatabase } from '../../src/platform/db/pools.js'
import { idle, startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embeddedPostgres.js'
import { config } from '../../src/platform/process/config.js'
import { explainDatabaseError } from '../../src/platform/process/databaseAdvice.js'
import { countedDeliveries } from '../../src/platform/process/deliveryCounts.js'
import { log } from '../../src/platform/process/log.js'
import { startTracing } from '../../src/platform/process/tracing.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import type { Via } from '../../src/vocabulary/people/actor.js'

/** A job gets how it was started and returns what it did; null when there was nothing to do. */
type Work = (via: Extract<Via, 'cli' | 'scheduler'>) => Promise<object | null>

/** Size of the connection pool of a job or its thread, which works alone and briefly. */
const connections = Math.min(4, config.databasePool)

/**
 * Command line: connects (to the embedded server without DATABASE_URL), prints a JSON line, exits
 * with 0, or 1 and the reason. Scheduler's worker: uses its database and logs. Both end once all is
 * sent.
 */
export async function runAsProcess(work: Work): Promise<void> {
  if (!isMainThread) return runInThread(work)
  await printResult(() =>
    withConfiguredDatabase(async ({ url, ownerUrl }) => {
      if (config.embedded) await migrateAs(ownerUrl, url)
      return withOutbox(url, () => work('cli'))
    }),
  )
}

/** Ends the process: with 0 and the result as a JSON line, or with 1 and the reason. */
export async function printResult(
  act: () => Promise<object | null>,
  to: NodeJS.WritableStream = process.stdout,
): Promise<never> {
  try {
    const result = await act()
    to.write(`${JSON.stringify(result)}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${explainDatabaseError(error) ?? (error as Error).message}\n`)
    process.exit(1)
  }
}

/** The database as the role that serves, and as the one that owns its tables. */
type Addresses = { url: string; ownerUrl: string }

/** Calls `act` with the configured database, or with the embedded server, started for it. */
export async function withConfiguredDatabase<T>(act: (addresses: Addresses) => Promise<T>): Promise<T> {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config
  if (databaseUrl) return act({ url: databaseUrl, ownerUrl: migrationDatabaseUrl ?? databaseUrl })
  const embedded = await startEmbeddedPostgres({ dataDir })
  try {
    return await act(embedded)
  } finally {
    await embedded.stop()
  }
}

/** Runs a job in a thread of the scheduler, and tells it how the job ended. */
async function runInThread(work: Work): Promise<void> {
  // Ending the thread rolls back its transaction; claimed emails are given back first.
  const post = (message: JobMessage) => parentPort!.postMessage(message)
  parentPort!.once('message', () => void stopOutbox().finally(() => post('cancelled')))
  const { databaseUrl, job } = workerData as { databaseUrl: string; job: { name: string } }
  try {
    const result = await withOutbox(databaseUrl, () => work('scheduler'))
    log.info({ job: job.name, result }, 'job')
  } catch (error) {
    log.error({ job: job.name, error }, 'job failed')
    post(jobFailed)
  }
  post({ deliveries: countedDeliveries() })
  post('done')
}

/** Works with the database open and the outbox running, and waits until all is sent. */
async function withOutbox<T>(url: string, work: () => Promise<T>): Promise<T> {
  const stopTracing = await startTracing('job')
  openDatabase(url, connections)
  try {
    startOutbox(senders(), announceStatus, { watch: false })
    const result = await work()
    await idle()
    return result
  } finally {
    await stopOutbox()
    await closeDatabase()
    await stopTracing()
  }
}
