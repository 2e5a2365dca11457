/** SQLSTATE classes that mean the database is away or overloaded, not that the request was wrong. */
const away = /^(08|53|57P0|25P03|25006)/
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57014',
  '55P03',
])
const awayMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/

/**
 * SQLSTATEs of a value no column could hold: text that cannot be read as its type or be stored at all, a number or time
 * out of range, a text too long.
 */
const unfit = new Set(['22P02', '22P03', '22P05', '22001', '22003', '22007', '22008', '22009', '22021'])

/** The database's own error: Objection hands it out wrapped. */
export function nativeError(error: unknown): unknown {
  return (error as { nativeError?: unknown } | null)?.nativeError ?? error
}

/** Whether an error says that the database cannot answer now: the caller is told 503 and to try again (decision 4.1). */
export function databaseAway(thrown: unknown): boolean {
  const error = nativeError(thrown)
  if (!(error instanceof Error)) return false
  const code = String((error as Error & { code?: unknown }).code ?? '')
  return away.test(code) || awayCodes.has(code) || awayMessages.test(error.message)
}

/** Whether the database refused a value somebody sent, which a schema at the door should have done. */
export function unfitForDatabase(thrown: unknown): boolean {
  const { code } = (nativeError(thrown) ?? {}) as { code?: unknown }
  return typeof code === 'string' && unfit.has(code)
}

/** Whether such an error came before anything was sent: then nothing can have happened. */
export function neverSent(error: unknown): boolean {
  const { code, message } = nativeError(error) as { code?: string; message?: string }
  return (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    /^timeout exceeded when trying to connect/.test(message ?? '') ||
    /^53|^57P03/.test(code ?? '')
  )
}

/** The database went away while committing: whether the change happened is unknown; a retry with the same key is safe. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
