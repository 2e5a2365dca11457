import { log } from '../process/log.js'
import { NotOurStore } from './ownership.js'
import { StorageUnavailable, storageFault } from './store.js'

let fault: string | null = null

/**
 * Why photos could not be stored when that was last tried, for staff: a sentence, with the code of
 * the system or store; null when they could.
 */
export const photoStoreFault = (): string | null => fault

/**
 * Notes that a photo could not be stored, by a check or by a request, and logs a line when the
 * reason is new. Returns the reason; null when the error is not about the store, as when the
 * database is away.
 */
export function noteStoreFault(error: unknown): string | null {
  const reason = reasonOf(error)
  if (reason && reason !== fault) log.warn(`photo store: no photo can be stored now: ${reason}`)
  fault = reason ?? fault
  return reason
}

/** Notes that photos can be stored, and logs a line when that is new. */
export function noteStoreWell(): void {
  if (fault) log.info('photo store: photos can be stored again')
  fault = null
}

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (!(error instanceof StorageUnavailable)) return reasonOf(error.cause)
  return error.cause instanceof NotOurStore ? error.cause.message : storageFault(error)
}
