import { certificateCure } from './certificate.js'

/**
 * SQLSTATE classes that mean the database is away or overloaded, not that the request was wrong.
 */
const awaySqlstates = /^(08|53|57P0|57014|55P03|25P03|25006)/

/** The system's codes for failures of making a connection alone: nothing was sent yet. */
const connectingCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']
/** The others come while connecting and later. */
const networkCodes = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']

/** What the driver says of a database that is away, while connecting and at any time. */
const connectingMessages = [
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'The server does not support SSL',
]
const laterMessages = [
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
]

/** Whether a message is one of these. The query builder puts its statement before the driver's. */
function isOneOf(messages: readonly string[], message: string): boolean {
  return messages.some((each) => message.startsWith(each) || message.includes(` - ${each}`))
}

export const isAwayMessage = (message: string) =>
  isOneOf(connectingMessages, message) || isOneOf(laterMessages, message)

/** SQLSTATEs of values no column can hold: unreadable, too long, or out of range. */
const unstorableValues = new Set([
  '22P02',
  '22P03',
  '22P05',
  '22001',
  '22003',
  '22007',
  '22008',
  '22009',
  '22021',
])

/** The database's own error: Objection wraps it. */
export function nativeError(error: unknown): unknown {
  return (error as { nativeError?: unknown } | null)?.nativeError ?? error
}

/** The SQLSTATE of a database's error or the code of the system's; '' where it has none. */
export function errorCode(thrown: unknown): string {
  const { code } = (nativeError(thrown) ?? {}) as { code?: unknown }
  return String(code ?? '')
}

/** Whether the database cannot answer now; clients get 503 and retry (decision 4.1). */
export function databaseAway(thrown: unknown): boolean {
  const error = nativeError(thrown)
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  return (
    awaySqlstates.test(code) ||
    connectingCodes.includes(code) ||
    networkCodes.includes(code) ||
    isAwayMessage(error.message) ||
    certificateCure(code) !== null
  )
}

/**
 * Whether the database refused a value of the request, which a schema should have refused first.
 */
export function unfitForDatabase(thrown: unknown): boolean {
  return unstorableValues.has(errorCode(thrown))
}

/** The steps of making a connection that an error of the network may name. */
const connectingSteps = ['connect', 'getaddrinfo']

/** Whether the error came before anything was sent, so nothing can have been stored. */
export function neverSent(thrown: unknown): boolean {
  const error = nativeError(thrown)
  // Of a name with several addresses: each was tried.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverSent)
  const { code = '', message = '', syscall = '' } = (error ?? {}) as Record<string, string | undefined>
  return (
    connectingCodes.includes(code) ||
    // A network that breaks later fails with the same codes, when a statement may have arrived.
    connectingSteps.includes(syscall) ||
    isOneOf(connectingMessages, message) ||
    // A certificate is looked at before anything is sent.
    certificateCure(code) !== null ||
    /^53|^57P03/.test(code)
  )
}

/** The database went away during the commit, so the change may be stored. A retry is safe. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** SQLSTATEs that quote no row: connection, sign-in, database, limits, operator, system. */
export const quotesNoRow = /^(08|28|3D|53|57P|58|25006)/

/** Whether the message may be logged: it is about the server or our own tables, never a row. */
export function mayQuote(thrown: unknown): boolean {
  const code = errorCode(thrown)
  return quotesNoRow.test(code) || /^(42P01|42703|42883|42501)$/.test(code)
}
