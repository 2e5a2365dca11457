/** SQLSTATE classes that mean the database is away or overloaded, not that the request was wrong. */
const away = /^(08|53|57P0|25P03|25006)/
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  '57014',
  '55P03',
])
/** The query builder puts its statement before a message of the driver's. */
const awayMessages =
  /(?:^| - )(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/

/**
 * SQLSTATEs of values no column can hold: unreadable or unstorable text, text too long, numbers or times out of
 * range.
 */
const unfit = new Set(['22P02', '22P03', '22P05', '22001', '22003', '22007', '22008', '22009', '22021'])

/** The database's own error: Objection wraps it. */
export function nativeError(error: unknown): unknown {
  return (error as { nativeError?: unknown } | null)?.nativeError ?? error
}

/** Whether the error means that the database cannot answer now; clients get 503 and retry (decision 4.1). */
export function databaseAway(thrown: unknown): boolean {
  const error = nativeError(thrown)
  if (!(error instanceof Error)) return false
  const code = String((error as Error & { code?: unknown }).code ?? '')
  return away.test(code) || awayCodes.has(code) || awayMessages.test(error.message)
}

/** Whether the database refused a value of the request, which a schema should have refused first. */
export function unfitForDatabase(thrown: unknown): boolean {
  const { code } = (nativeError(thrown) ?? {}) as { code?: unknown }
  return typeof code === 'string' && unfit.has(code)
}

/** Errors that only making a connection has, and the steps of it that an error of the network may name. */
const whileConnecting = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'])
const connectingSteps = new Set(['connect', 'getaddrinfo'])
const neverConnected =
  /(?:^| - )(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/

/** Whether the error came before anything was sent, so nothing can have been stored. */
export function neverSent(thrown: unknown): boolean {
  const error = nativeError(thrown)
  // Of a name with several addresses: each was tried.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverSent)
  const { code = '', message = '', syscall = '' } = (error ?? {}) as Record<string, string | undefined>
  return (
    whileConnecting.has(code) ||
    // A network that breaks later fails with the same codes, when a statement may have arrived.
    connectingSteps.has(syscall) ||
    neverConnected.test(message) ||
    /^53|^57P03/.test(code)
  )
}

/** The database went away during the commit: the change may be stored. A retry with the same key is safe. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
