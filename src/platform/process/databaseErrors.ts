import { asSentence, certificateCure } from './certificate.js'

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

const isAwayMessage = (message: string) =>
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

/** What an operator can do, in sentences, by SQLSTATE, by its class, or by the system's code. */
const cures: Record<string, string> = {
  '28P01':
    'The role does not exist, or its password is another. Correct the address, or set it with: alter role NAME password.',
  '28000':
    'The server does not let this role in. Look at the role’s name, at its right to log in, and at pg_hba.conf.',
  '3D000': 'This database does not exist. Create it, or correct the name at the end of DATABASE_URL.',
  '42501':
    'The role lacks rights. The release step must work as the role that owns the database: set MIGRATION_DATABASE_URL, then run npm run migrate.',
  '42P01': 'Tables are missing. Run the release step: npm run migrate.',
  '42703': 'The tables are older than this version. Run the release step: npm run migrate.',
  '53100': 'The disk of the database is full. Make room there.',
  '53200': 'The database server has no memory left.',
  '53300': 'The server has no connection left. Lower DATABASE_POOL, raise max_connections, or use PgBouncer.',
  '57P03': 'The database is starting or stopping. It is asked again by itself.',
  '57P01': 'The database was stopped or restarted. It is asked again by itself.',
  '25006': 'This server is a read-only standby. Use the address of the primary in DATABASE_URL.',
  '08P01': 'A pooler refused. Look at its log, and at the role and database it knows.',
  '58': 'The database server has trouble with its disk or files. Look at its own log.',
  ECONNREFUSED: 'Nothing listens there. Is PostgreSQL running, and are host and port right?',
  ENOTFOUND: 'This host name is unknown. Correct it in DATABASE_URL.',
  EAI_AGAIN: 'The host name cannot be looked up now. Is the network up, and the name right?',
  ETIMEDOUT: 'The host does not answer. Is the address right, and does a firewall let us through?',
  EHOSTUNREACH: 'There is no way to this host. Is the address right?',
}
/** Where the driver is told of an authority; what it is told replaces those that Node.js knows. */
const trust = 'Add sslrootcert=/path/to/ca.pem to the address'
/** SQLSTATEs that quote no row: connection, sign-in, database, limits, operator, system. */
const quotesNoRow = /^(08|28|3D|53|57P|58|25006)/

/** Whether the message may be logged: it is about the server or our own tables, never a row. */
export function mayQuote(thrown: unknown): boolean {
  const code = errorCode(thrown)
  return quotesNoRow.test(code) || /^(42P01|42703|42883|42501)$/.test(code)
}

/**
 * One sentence of the server and one of ours on what to do; null for errors that no operator can
 * mend, and for those that are not about the database.
 */
export function explainDatabaseError(thrown: unknown): string | null {
  const native = nativeError(thrown)
  // A name with several addresses: each was tried.
  const error = native instanceof AggregateError ? (native.errors[0] ?? native) : native
  if (!(error instanceof Error)) return null
  const code = errorCode(error)
  const ofCertificate = certificateCure(code, trust)
  const cure = cures[code] ?? cures[code.slice(0, 2)] ?? (ofCertificate && asSentence(ofCertificate))
  const message = error.message.replace(/^.* - (?=[a-z])/s, '')
  if (cure) return `${message} (${code}). ${cure}`
  if (/does not support SSL/.test(message))
    return `${message}. Remove sslmode from the address, or turn on ssl there.`
  if (isAwayMessage(error.message) || quotesNoRow.test(code))
    return code ? `${message} (${code}).` : `${message}.`
  return null
}
