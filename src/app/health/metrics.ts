import { setTimeout as sleep } from 'node:timers/promises'
import type { Counter, Gauge, Registry } from 'prom-client'
import { jobStates } from '../../platform/db/jobRun.js'
import { poolState } from '../../platform/db/pools.js'
import { answeredByHandler, file } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { failingMessages } from '../../platform/outbox/failingMessages.js'
import { decodersLost, photoLoad } from '../../platform/photos/photoProcessor.js'
import { photoStoreFault } from '../../platform/photos/storeFault.js'
import { config } from '../../platform/process/config.js'
import { countedDeliveries } from '../../platform/process/deliveryCounts.js'
import { watchRequests } from '../../platform/process/endedRequests.js'
import { freeBytes } from '../../platform/process/files.js'
import { commit, version } from '../../platform/process/version.js'
import { statusCounters } from '../../status/stateCache.js'
import { jobNames } from '../../vocabulary/jobs.js'
import { waitingDeliveries } from '../waitingDeliveries.js'
import { checkPhotos } from './healthRoutes.js'

/** Milliseconds to wait for the database's figures; the others are shown without them. */
const databasePatienceMs = 2_000

/** Seconds; most answers take a few milliseconds, an export half a minute. */
const buckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 30]

/** Gauges of the library whose names say that they are counters; the same figures by type stay. */
const misleadingGauges = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

type Metrics = { type: string; text: () => Promise<string> }
type Library = typeof import('prom-client')

let metricsOnce: Promise<Metrics> | null = null

/** This process's figures for Prometheus, counted from the first call: few deployments ask. */
export function metrics(): Promise<Metrics> {
  metricsOnce ??= createMetrics()
  return metricsOnce
}

async function createMetrics(): Promise<Metrics> {
  const { default: library } = await import('prom-client')
  const registry = new library.Registry()
  library.collectDefaultMetrics({ register: registry })
  for (const name of misleadingGauges) registry.removeSingleMetric(name)
  registerRequestMetrics(library, registry)
  registerProcessMetrics(library, registry)
  const refresh = registerDatabaseMetrics(library, registry)
  return {
    type: registry.contentType,
    text: async () => {
      await refresh()
      return registry.metrics()
    },
  }
}

function registerRequestMetrics({ Counter, Histogram }: Library, registry: Registry): void {
  const registers = [registry]
  const requests = new Counter({
    name: 'caretaker_http_requests_total',
    help: 'Requests by the pattern of their route; the status view’s quick reads are counted apart.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'caretaker_http_request_duration_seconds',
    help: 'From the request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  })
  watchRequests(({ method, route, status, seconds }) => {
    requests.inc({ method, route, status: String(status) })
    durations.observe({ method, route }, seconds)
  })
}

function registerProcessMetrics({ Counter, Gauge }: Library, registry: Registry): void {
  const registers = [registry]
  const addCounter = (name: string, help: string, labelNames: string[], read: (counter: Counter) => void) => {
    const collect = () => {
      counter.reset()
      read(counter)
    }
    const counter: Counter = new Counter({ name, help, labelNames, registers, collect })
  }
  const addGauge = (name: string, help: string, labelNames: string[], read: (gauge: Gauge) => void) => {
    const gauge: Gauge = new Gauge({ name, help, labelNames, registers, collect: () => read(gauge) })
  }
  addGauge('caretaker_build_info', 'The version that runs.', ['version', 'commit'], (gauge) =>
    gauge.set({ version, commit: commit ?? '' }, 1),
  )
  addCounter('caretaker_status_reads_total', 'Quick reads of the status view.', ['path'], (counter) => {
    for (const [path, count] of Object.entries(statusCounters.reads)) counter.inc({ path }, count)
  })
  addCounter('caretaker_status_cache_total', 'How the kept status view was used.', ['result'], (counter) => {
    for (const [result, count] of Object.entries(statusCounters.cache)) counter.inc({ result }, count)
  })
  addCounter(
    'caretaker_deliveries_total',
    'Attempts to deliver, by how they ended.',
    ['kind', 'result'],
    (counter) => {
      for (const { kind, result, count } of countedDeliveries()) counter.inc({ kind, result }, count)
    },
  )
  addGauge('caretaker_database_connections', 'Connections of the pool.', ['state'], (gauge) => {
    const { open, inUse } = poolState()
    gauge.set({ state: 'in_use' }, inUse)
    gauge.set({ state: 'idle' }, open - inUse)
  })
  addGauge('caretaker_database_waiting', 'Callers that wait for a connection.', [], (gauge) =>
    gauge.set(poolState().waiting),
  )
  addGauge('caretaker_photos_running', 'Photos being worked on.', [], (gauge) =>
    gauge.set(photoLoad().running),
  )
  addGauge('caretaker_photos_waiting', 'Photos that wait for it.', [], (gauge) =>
    gauge.set(photoLoad().waiting),
  )
  addCounter(
    'caretaker_photo_decoders_lost_total',
    'Processes that decode photos and did not start, crashed or took too long.',
    ['why'],
    (counter) => {
      for (const [why, count] of Object.entries(decodersLost())) counter.inc({ why }, count)
    },
  )
}

/** Figures that all processes share. Returns what reads them again, before each answer. */
function registerDatabaseMetrics({ Gauge }: Library, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const up = gauge('caretaker_database_up', 'Whether the database gave the figures below in time.')
  const waiting = gauge('caretaker_outbox_waiting', 'Deliveries still to be made.', ['kind'])
  const oldest = gauge('caretaker_outbox_oldest_seconds', 'Age of the oldest that should be done.', ['kind'])
  const failing = gauge('caretaker_outbox_failing', 'Messages that wait after failed attempts.', [
    'kind',
    'reason',
  ])
  const stuck = gauge('caretaker_outbox_stuck', 'Whether for minutes attempts failed and none succeeded.', [
    'kind',
  ])
  const success = gauge(
    'caretaker_job_last_success_timestamp_seconds',
    'When the job last succeeded; 0 if never.',
    ['job'],
  )
  const photos = gauge('caretaker_photo_store_up', 'Whether photos could be stored when last tried.')
  const free = gauge('caretaker_data_free_bytes', 'Room on the disk of DATA_DIR.')
  const failure = gauge('caretaker_job_last_failure_timestamp_seconds', 'When the job last failed.', ['job'])
  return async () => {
    const reading = Promise.all([
      waitingDeliveries(),
      failingMessages(),
      jobStates([...jobNames, 'backup']),
    ]).catch(() => null)
    const timeout = sleep(databasePatienceMs, null, { ref: false })
    const readings = await Promise.race([reading, timeout])
    await Promise.race([checkPhotos(), timeout])
    photos.set(photoStoreFault() ? 0 : 1)
    free.set(await freeBytes(config.dataDir))
    for (const each of [waiting, oldest, failing, stuck, success, failure]) each.reset()
    up.set(readings ? 1 : 0)
    if (!readings) return
    const [depths, failures, jobs] = readings
    for (const { kind, waiting: count, oldestSeconds } of depths) {
      waiting.set({ kind }, count)
      oldest.set({ kind }, oldestSeconds)
    }
    for (const kind of ['mail', 'push']) stuck.set({ kind }, 0)
    for (const { kind, reason, count, stuck: isStuck } of failures) {
      failing.set({ kind, reason }, count)
      stuck.set({ kind }, isStuck ? 1 : 0)
    }
    for (const { job, lastSuccessAt, lastFailureAt } of jobs) {
      // 0 where it never succeeded: alerts see that, too.
      success.set({ job }, (lastSuccessAt?.getTime() ?? 0) / 1_000)
      if (lastFailureAt) failure.set({ job }, lastFailureAt.getTime() / 1_000)
    }
  }
}

/** GET /metrics: the figures of this process for Prometheus, by METRICS_TOKEN alone. */
export const metricsRoutes = [
  route({
    method: 'get',
    paths: '/metrics',
    probe: true,
    summary: 'The metrics of this process in Prometheus format.',
    permission: 'metrics.read',
    answer: file('text/plain'),
    handle: async ({ ctx }) => {
      const { type, text } = await metrics()
      ctx.set('Cache-Control', 'no-store')
      ctx.body = await text()
      ctx.set('Content-Type', type)
      return answeredByHandler
    },
  }),
]
