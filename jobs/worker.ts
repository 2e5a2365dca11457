// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { metrics } from '../src/app/health/metrics.js'
import { startSchedule } from '../src/app/schedule.js'
import { requirePhotoStore, warnAtStart, warnOfSmtpServer } from '../src/app/startChecks.js'
import { senders } from '../src/app/wiring.js'
import { closeDatabase, openDatabase } from '../src/platform/db/pools.js'
import { boundedServer } from '../src/platform/http/server/boundedServer.js'
import { closeListeners, listen, portOf } from '../src/platform/http/server/listen.js'
import { startOutbox, stopOutbox } from '../src/platform/outbox/outbox.js'
import { config } from '../src/platform/process/config.js'
import { log } from '../src/platform/process/log.js'
import { runUntilStopped, type Stop } from '../src/platform/process/runUntilStopped.js'
import { startTracing } from '../src/platform/process/tracing.js'
import { version } from '../src/platform/process/version.js'
import { announceStatus } from '../src/status/announceStatus.js'

/** `npm run worker`: the schedule and the outbox, beside any number of web processes. */
async function start(stops: Stop[], stopping: AbortSignal): Promise<void> {
  const { databaseUrl } = config
  if (!databaseUrl)
    throw new Error('The worker needs DATABASE_URL. Without it, npm start runs everything in one process.')
  stops.push(await startTracing('worker'))
  openDatabase(databaseUrl, config.databasePool, { as: 'worker' })
  stops.push(closeDatabase)
  await requirePhotoStore()
  void warnAtStart()
  startOutbox(senders(), announceStatus)
  stops.push(stopOutbox)
  if (config.scheduler === 'off') log.warn('SCHEDULER is off: this worker only sends what waits')
  else {
    const schedule = await startSchedule(databaseUrl)
    // With the outbox, not before it: both may have to wait for someone who does not answer.
    stops.push(() => Promise.all([schedule.stop(), stopOutbox()]))
  }
  if (config.metricsToken) await metrics()
  if (config.workerPort !== null) stops.push(await answerMonitors(config.workerPort))
  stopping.throwIfAborted()
  // Logged last: a supervisor that reads this line may stop the process at once.
  log.info({ version }, 'working')
  void warnOfSmtpServer()
}

/** Answers /healthz, /readyz and /metrics, whose code is loaded only now; returns what ends it. */
async function answerMonitors(port: number): Promise<Stop> {
  const { createMonitorListener } = await import('../src/app/app.js')
  const server = boundedServer(createMonitorListener(), { networkOf: () => null })
  const listeners = await listen(server, port)
  log.info({ port: portOf(server) }, 'answering monitors')
  return async () => {
    const ended = closeListeners(...listeners)
    server.closeAllConnections()
    await ended
  }
}

runUntilStopped(start)
