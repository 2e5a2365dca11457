import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Building, identifiersOf } from './building.js'

/** Any constant, the same in every version of Caretaker: one building is made at a time, as each takes the next port. */
const makingLock = 726_004
/** Milliseconds until the server counts as away. */
const patience = 10_000

/** A connection to the server of many buildings, as the role that makes them. */
export type Server = pg.Client

/** Calls `work` while nobody else makes a building on this server; waits for who does. */
export async function aloneOnServer<T>(url: string, work: (server: Server) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience, keepAlive: true })
  // A lost connection also rejects the statement under way, which is where it is handled.
  server.on('error', () => undefined)
  await server.connect()
  try {
    await server.query(`set lock_timeout = '15min'`)
    await server.query(`select pg_advisory_lock(${makingLock})`)
    return await work(server)
  } finally {
    await server.end().catch(() => undefined)
  }
}

/** Throws when the server has a database or role of this name already, which is then somebody else's. */
export async function requireUnused(server: Server, name: string): Promise<void> {
  const { database, serving, owner } = identifiersOf(name)
  const { rows } = await server.query<{ taken: string }>(
    `select datname as taken from pg_database where datname = $1
     union select rolname from pg_roles where rolname in ($2, $3)`,
    [database, serving, owner],
  )
  if (rows.length > 0)
    throw new Error(
      `The server already has a ${rows[0]!.taken}, but its settings aren’t here. Restore them, or choose another name.`,
    )
}

/**
 * Makes what is missing of a building's roles and database; may be run again. Its roles may sign in to this database
 * alone; one owns it, the other is granted its rights by the migrations (decision 4.14).
 */
export async function makeDatabase(
  server: Server,
  { name, settings, ownerSettings }: Building,
): Promise<void> {
  const { database, serving, owner } = identifiersOf(name)
  const quoted = (identifier: string) => server.escapeIdentifier(identifier)
  await makeRole(server, serving, settings.DATABASE_URL!)
  await makeRole(server, owner, ownerSettings.MIGRATION_DATABASE_URL!)
  // Who is no superuser may make a database only for a role it belongs to.
  await server.query(`grant ${quoted(owner)} to current_user`)
  const { rowCount } = await server.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0)
    await server.query(
      `create database ${quoted(database)} owner ${quoted(owner)} template template0 encoding 'UTF8'`,
    )
  // A temporary table would hide the real one of the same name.
  await server.query(`revoke all on database ${quoted(database)} from public`)
  await server.query(`grant connect on database ${quoted(database)} to ${quoted(serving)}`)
  await server.query(`revoke ${quoted(owner)} from current_user`)
}

async function makeRole(server: Server, role: string, address: string): Promise<void> {
  const quoted = server.escapeIdentifier(role)
  const { rowCount } = await server.query('select from pg_roles where rolname = $1', [role])
  // One that is there stays as it is: an operator may have shut it.
  if (rowCount !== 0) return
  const password = decodeURIComponent(new URL(address).password)
  await server.query(`create role ${quoted} login password ${server.escapeLiteral(verifierOf(password))}`)
}

/** What the server keeps of a password (RFC 5803), made here: statements may be in the server's log. */
function verifierOf(password: string): string {
  const [salt, rounds] = [randomBytes(16), 4_096]
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
