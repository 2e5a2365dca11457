import { preparedIsLost } from './database.js'
import { nativeError } from './databaseErrors.js'

/**
 * Attempts a write, and once more when nothing was stored and a retry can succeed. Throws what the
 * last one threw.
 */
export async function retryOnce<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => (worthAnotherTry(error) ? attempt() : Promise.reject(error)))
}

/** A prepared statement was lost, or a deadlock (40P01). */
function worthAnotherTry(error: unknown): boolean {
  return preparedIsLost(error) || (nativeError(error) as { code?: unknown }).code === '40P01'
}
