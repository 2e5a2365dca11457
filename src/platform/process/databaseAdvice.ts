import { asSentence, certificateCure } from './certificate.js'
import { errorCode, isAwayMessage, nativeError, quotesNoRow } from './databaseErrors.js'

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
