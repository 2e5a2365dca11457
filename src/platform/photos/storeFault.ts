import { networkFailure } from '../net/networkFailure.js'
import { certificateCure } from '../process/certificate.js'
import { log } from '../process/log.js'
import { NotOurStore } from './ownership.js'
import { StoreUnavailable } from './store.js'

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
  if (!(error instanceof StoreUnavailable)) return reasonOf(error.cause)
  return error.cause instanceof NotOurStore ? error.cause.message : faultInWords(error)
}

/** What an operator can mend, by the code of the system or the store. */
const cures: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'the process may not write to the folder',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
}

/** Why the store failed, for the operator: in words where there are some, with the code. */
export function faultInWords({ refusal, cause }: StoreUnavailable): string {
  if (refusal) return refusal
  const { code = 'failed' } = (cause ?? {}) as { code?: string }
  const words = Object.hasOwn(cures, code) ? cures[code] : (certificateCure(code) ?? networkFailure(code))
  return words ? `${words} (${code})` : code
}
