import { once } from 'node:events'
import { ConfigurationError } from './config.js'
import { endLog, log } from './log.js'
import { version } from './version.js'

/** Stops one started thing. */
export type Stop = () => Promise<unknown>

/**
 * Starts everything in order and adds to `stops` what stops each. May throw when `stopping` aborts,
 * in order to stop early.
 */
export type Start = (stops: Stop[], stopping: AbortSignal) => Promise<void>

/** Milliseconds for the last lines of the log to be read. */
const lastLinesTime = 2_000
/** Longest wait of a timer: about 24 days. */
const longest = 2 ** 31 - 1

/**
 * Runs a serving process until SIGTERM or SIGINT, also during its start; then stops what was
 * started, the last first, and ends: with 0, or with a reason that people can read and 78 when a
 * setting is wrong, else 1.
 */
export function runUntilStopped(
  start: Start,
  explain = ({ message }: Error) => message,
  logTime = lastLinesTime,
): void {
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'))
  // A terminal that is gone or a full disk costs what is said there, and never the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // Node ends a process that holds no timer and no socket, as one that waits for work may do.
  setInterval(() => {}, longest)
  const fail = (error: unknown) => {
    log.fatal({ error, version }, 'stopped')
    process.stderr.write(`${explain(error as Error)}\n`)
    return exit(error instanceof ConfigurationError ? 78 : 1, logTime)
  }
  startAndStop(start).then(() => {
    log.info('stopped')
    return exit(0, logTime)
  }, fail)
}

/**
 * Everything is stopped and stored. An exit would wait for the reader of the log, perhaps without
 * end.
 */
async function exit(code: number, logTime: number): Promise<void> {
  if (await endLog(logTime)) process.exit(code)
  process.kill(process.pid, 'SIGKILL')
}

async function startAndStop(start: Start): Promise<void> {
  const stopping = stopSignal()
  const stops: Stop[] = []
  try {
    await start(stops, stopping)
    if (!stopping.aborted) await once(stopping, 'abort')
  } catch (error) {
    if (!stopping.aborted) throw error
    log.info({ error }, 'stopped while it started')
  } finally {
    await stopAll(stops)
  }
}

/** Stops the last started first, and goes on when one fails. Throws the first failure. */
async function stopAll(stops: Stop[]): Promise<void> {
  const failures: unknown[] = []
  for (const stop of stops.toReversed()) await stop().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Platforms repeat SIGTERM and people press Ctrl-C twice: only the first signal counts. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = (signal: string) => {
    if (controller.signal.aborted) return
    log.info({ signal }, 'stopping')
    controller.abort()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return controller.signal
}
