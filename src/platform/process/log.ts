import { isMainThread } from 'node:worker_threads'
import { pino } from 'pino'
import { type SecurityEvent, securityEvents } from '../../vocabulary/securityEvents.js'
import { config } from './config.js'
import { databaseAway, mayQuote, nativeError } from './databaseErrors.js'

/** Names of fields that can hold a secret; their values are redacted at every depth we log. */
const secretFields = ['password', 'secret', 'token', 'authorization', 'cookie', 'key']

const isCommand = /[\\/]jobs[\\/](?!worker)[^\\/]*$/.test(process.argv[1] ?? '')
/** A command or a thread writes all its lines before it ends; a server waits for no reader. */
const isServer = isMainThread && !isCommand
/** Bytes of lines kept while no one reads them; the lines beyond are lost, and counted. */
const mostBytes = 8 * 1024 * 1024
/** The result of a command is alone on standard output (decision 5.9). */
const destination = pino.destination({
  dest: isCommand ? 2 : 1,
  sync: !isServer,
  maxLength: isServer ? mostBytes : 0,
})
let lost = 0
destination.on('drop', () => {
  lost += 1
})
/** The reader is gone, or the log's disk is full: that costs lines, and never the service. */
let isBroken = false
destination.on('error', () => {
  isBroken = true
})
destination.on('drain', () => {
  isBroken = false
  const lines = lost
  lost = 0
  if (lines > 0) log.warn({ lines }, 'lines of this log are lost: no one read them, or there was no room')
})

/**
 * One JSON line per fact on standard output, of a command on standard error. Never log bodies,
 * headers, queries or bound SQL values.
 */
export const log = pino(
  {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { error: describeError },
  },
  destination,
)

/** Ends the log. Resolves when it is written, or with false when no one read it for so many ms. */
export async function endLog(within: number): Promise<boolean> {
  log.level = 'silent'
  const ended = new Promise<true>((resolve) => {
    for (const end of ['close', 'error']) destination.once(end, () => resolve(true))
  })
  const late = new Promise<false>((resolve) => setTimeout(resolve, within, false))
  if (!isBroken) destination.end()
  const isWritten = isBroken || (await Promise.race([ended, late]))
  // Pino flushes at exit, which throws on a broken destination: replace its flush.
  if (isBroken) destination.flushSync = () => {}
  return isWritten
}

/**
 * The parts of an error that may be logged. Messages of database drivers and body parsers can quote
 * the request, so of those only the code and the place are kept, except where `mayQuote` says that
 * they cannot.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, severity, table, constraint, routine, message } = nativeError(error) as Error &
    Record<string, unknown>
  const fromDatabase = severity !== undefined || routine !== undefined
  const stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
  return {
    type: error.name,
    ...(fromDatabase ? { table, constraint } : {}),
    ...(fromDatabase && mayQuote(error) ? { message } : {}),
    ...(fromDatabase || error instanceof SyntaxError ? {} : { message: error.message.slice(0, 500) }),
    ...(code === undefined ? {} : { code }),
    // Where we asked says nothing about why no one answered.
    ...(databaseAway(error) ? {} : { stack }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/** Facts are ids, addresses and names: never a password, token, cookie or body. */
export function logSecurity(event: SecurityEvent, facts: Record<string, unknown>): void {
  log[securityEvents[event]]({ event, ...facts }, 'security')
}
