import { createHash } from 'node:crypto'
import type pg from 'pg'
import { errorCode } from '../process/databaseErrors.js'
import { log } from '../process/log.js'

const statementNames = new Map<string, string>()
let preparing = true

/** Prepares statements again: another database may be reached without a pooler. */
export function startPreparing(): void {
  preparing = true
}

/**
 * A query as a prepared statement: planned once per connection, twice as fast on hot paths. The
 * name is a hash of the text, so equal names mean equal statements in every process.
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  // Several commands in one text cannot be prepared; these are transaction settings, not hot paths.
  if (!preparing || text.includes(';')) return { text, values }
  let name = statementNames.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url')
    statementNames.set(text, name)
  }
  return { name, text, values }
}

/** Why a prepared statement cannot be used any more, by SQLSTATE, for the log. */
const reasonsOfLoss = new Map([
  // No such prepared statement, or its name is taken: a transaction-mode pooler swapped the
  // connection.
  ['26000', 'a pooler is in between'],
  ['42P05', 'a pooler is in between'],
  ['0A000', 'a migration has changed tables in use'],
])

/**
 * Whether a prepared statement was lost. This process then stops preparing; the caller may retry
 * once.
 */
function preparedIsLost(error: unknown): boolean {
  const reason = reasonsOfLoss.get(errorCode(error))
  if (reason === undefined) return false
  if (preparing) log.info(`${reason}: going on without prepared statements`)
  preparing = false
  return true
}

/**
 * Attempts a read or a whole write, and once more when nothing was stored and that can succeed:
 * after lost prepared statements or a deadlock (40P01), which a migration makes with readers too.
 * Throws what the last one threw.
 */
export async function retryOnce<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) =>
    preparedIsLost(error) || errorCode(error) === '40P01' ? attempt() : Promise.reject(error),
  )
}
