import { explainDatabaseError } from '../process/databaseAdvice.js'
import { databaseAway, errorCode, nativeError } from '../process/databaseErrors.js'
import { log } from '../process/log.js'

/**
 * Milliseconds after the server came back in which a new loss is not logged: the server may go away
 * once more.
 */
const quiet = 10_000
/** Milliseconds, more than a poll, until lost connections are logged if the server is there. */
const patience = 6_000

let awaySince: number | null = null
let backAt = -Infinity
let isLogged = false
let lost = 0

/** Says nothing of a server: a slow statement, a lock, or a full pool of ours. */
const ofOneStatement = /^(57014|55P03)$/
const poolIsFull = /timeout exceeded when trying to connect/

/**
 * Whether the error means that the database cannot be used at all now, including that it refuses
 * our sign-in.
 */
function meansAway(thrown: unknown): boolean {
  const { message = '' } = (nativeError(thrown) ?? {}) as { message?: string }
  const code = errorCode(thrown)
  if (ofOneStatement.test(code) || poolIsFull.test(message)) return false
  return databaseAway(thrown) || /^(28|3D)/.test(code)
}

/** Logs once, in the server's words, that the database is away. Returns whether it is. */
export function noteDatabaseFailure(error: unknown): boolean {
  if (!meansAway(error)) return false
  const now = performance.now()
  awaySince ??= now
  if (!isLogged && now - backAt > quiet) {
    isLogged = true
    log.error(
      { code: errorCode(error) || undefined },
      `database away: ${explainDatabaseError(error) ?? (error as Error).message}`,
    )
  }
  return true
}

/** The database has answered: logs one line when it was said to be away. */
export function noteDatabaseAnswer(): void {
  if (awaySince === null) return
  const seconds = Math.round((performance.now() - awaySince) / 100) / 10
  awaySince = null
  backAt = performance.now()
  if (isLogged) log.info({ seconds }, `database is back after ${seconds} s`)
  isLogged = false
}

/** Logs connections lost while nothing else is wrong: an operator or a pooler has closed them. */
export function noteLostConnection(error: unknown): void {
  lost += 1
  if (lost > 1) return
  setTimeout(() => {
    const connections = lost
    lost = 0
    // Then that line has said it.
    const wasAway = awaySince !== null || performance.now() - backAt < patience
    if (!wasAway) log.warn({ error, connections }, 'database connections lost')
  }, patience).unref()
}
