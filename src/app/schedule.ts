import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Bree from 'bree'
import { sendReminders } from '../maintenance/reminders.js'
import { noteDatabaseFailure } from '../platform/db/availability.js'
import { runRecorded } from '../platform/db/jobRun.js'
import { countDelivery, type countedDeliveries } from '../platform/process/deliveryCounts.js'
import { log } from '../platform/process/log.js'
import { announceStatus } from '../status/announceStatus.js'

/**
 * Times in UTC. Jobs claim their hour or week in the run table, so several schedulers do no harm.
 */
const jobs = [
  { name: 'sweep', cron: '1 * * * *', timeout: '5s' },
  { name: 'digest', cron: '5 * * * *', timeout: false as const },
  { name: 'tidy', cron: '20 * * * *', timeout: false as const },
]

/** Milliseconds until a job counts as hung: it is rolled back, and the next run does its work. */
const longestRun = 10 * 60_000
const minute = 60_000
/** Milliseconds until a job that failed is tried again; an hour or a week is still its own then. */
const againAfter = 5 * minute

/** What the thread of a job says before its end when it failed. */
export const jobFailed = 'failed'

/**
 * What the thread of a job says: that it failed, and what it has sent. `done` and `cancelled` are
 * Bree's own messages: it ends the thread after the first, and waits for the second when it stops.
 */
export type JobMessage = typeof jobFailed | 'done' | 'cancelled' | { deliveries: Counts }

const folder = fileURLToPath(new URL('../../jobs', import.meta.url))

/** Runs the schedule here: workers for the jobs, and a tick each minute for planned work. */
export async function startSchedule(databaseUrl: string): Promise<{ stop: () => Promise<void> }> {
  const retries = new Map<string, NodeJS.Timeout>()
  const again = (name: string) => {
    clearTimeout(retries.get(name))
    retries.set(name, setTimeout(() => void bree.run(name).catch(failed), againAfter).unref())
  }
  const failed = (error: unknown) => log.error({ error }, 'schedule')
  let isStopping = false
  const bree = new Bree({
    root: false,
    timezone: 'UTC',
    closeWorkerAfterMs: longestRun,
    worker: { workerData: { databaseUrl } },
    jobs: jobs.map((job) => ({ ...job, path: path.join(folder, `${job.name}.js`) })),
    logger: {
      info: () => {},
      // A job runs when the process starts and may still run when its minute comes.
      warn: (error: unknown) => /is already running/.test(String(error)) || log.warn({ error }, 'schedule'),
      error: failed,
    },
    workerMessageHandler: ({ name, message }: { name: string; message: unknown }) => {
      if (message === jobFailed) again(name)
      for (const { kind, result, count } of countsIn(message)) countDelivery(kind, result, count)
    },
    errorHandler: (error: unknown) => {
      // A thread that is ended with us says so, too; its work is rolled back and done by the next
      // run.
      if (!isStopping) log.error({ error }, 'job worker')
    },
  })
  await bree.start()
  const ticking = setInterval(tick, minute)
  return {
    async stop() {
      isStopping = true
      clearInterval(ticking)
      for (const timer of retries.values()) clearTimeout(timer)
      await bree.stop()
    },
  }
}

type Counts = ReturnType<typeof countedDeliveries>

/** What the thread of a job has sent: each thread counts for itself. */
function countsIn(message: unknown): Counts {
  return (message as { deliveries?: Counts } | null)?.deliveries ?? []
}

function tick(): void {
  runRecorded('tick', { via: 'scheduler' }, async () => ({
    announced: await announceStatus(null),
    reminders: await sendReminders(),
  })).catch((error: unknown) => {
    if (!noteDatabaseFailure(error)) log.error({ error }, 'tick')
  })
}
