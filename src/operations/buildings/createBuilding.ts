import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import path from 'node:path'
import type pg from 'pg'
import { User } from '../../accounts/users/user.js'
import { advisoryLocks } from '../../platform/db/advisoryLocks.js'
import { withClient } from '../../platform/db/dedicatedConnection.js'
import { secretNames } from '../../platform/process/config/secrets.js'
import { identifiersOf, requireAddress, requireBuildingName } from './buildingName.js'
import { withBuildingDatabase } from './buildingState.js'
import { runForResult } from './runCommand.js'
import { allSettings, type HostedBuilding, type SettingsFolder } from './settingsFolder.js'

/** Milliseconds until the server counts as away. */
const patience = 10_000

/** A building to be made on a server: the address people type, and the server's own. */
type NewBuilding = { name: string; address: string; serverUrl: string }

/** What was made. */
type CreatedBuilding = {
  building: string
  url: string
  port: number
  migrated: unknown
  /** The address and, once, the password; null when the building had an admin already. */
  admin: Record<string, unknown> | null
}

/**
 * Makes a building: settings, roles, database, tables, first admin, in this order. One that was
 * started and not finished is finished; one that is there is left as it is. Any number of calls at
 * once, one after another.
 */
export async function createBuilding(
  request: { name: string; address: string; email: string },
  serverUrl: string,
  folder: SettingsFolder,
): Promise<CreatedBuilding> {
  const name = requireBuildingName(request.name)
  const address = requireAddress(request.address)
  const server = { connectionString: serverUrl, connectionTimeoutMillis: patience, keepAlive: true }
  return withClient(server, async (client) => {
    await client.query(`set lock_timeout = '15min'`)
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.newBuilding])
    const building = await prepareSettings(client, { name, address, serverUrl }, folder)
    await makeDatabase(client, building)
    const settings = allSettings(building)
    const { migrated } = await runForResult('migrate', settings)
    const admins = await withBuildingDatabase(building, async () =>
      User.query().where({ role: 'admin', active: true }).limit(1),
    )
    const admin = admins.length > 0 ? null : await runForResult('admin', settings, ['--email', request.email])
    await folder.writeHosts()
    return { building: name, url: address, port: Number(settings.PORT), migrated, admin }
  })
}

/** The settings are there before the database: they alone know its passwords. */
async function prepareSettings(
  server: pg.Client,
  { name, address, serverUrl }: NewBuilding,
  folder: SettingsFolder,
): Promise<HostedBuilding> {
  const buildings = await folder.buildings()
  const known = buildings.find((each) => each.name === name)
  const others = buildings.filter((each) => each !== known)
  const hostOf = ({ settings }: HostedBuilding) => new URL(settings.PUBLIC_URL!).hostname
  const sharing = others.find((each) => hostOf(each) === new URL(address).hostname)
  if (sharing) throw new Error(`${address} is already used by the building ${sharing.name}.`)
  if (known && known.settings.PUBLIC_URL !== address)
    throw new Error(
      `The building ${name} already has the address ${known.settings.PUBLIC_URL}. Change it in ${folder.file(`${name}.env`)}.`,
    )
  if (known) return known
  await requireUnused(server, name)
  const made = newBuildingSettings({ name, address, folder: folder.file('.'), serverUrl }, others)
  await folder.write(made)
  return made
}

/** The first port given to a building; each next one gets the lowest that none has. */
const firstPort = 4001

/**
 * What a building between others is told: a pool of 3, because a server of 100 connections is
 * shared, and the schedule in its web process, so that it needs no worker.
 */
const sharedServerSettings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TRUST_PROXY: 'true',
  SCHEDULER: 'on',
  DATABASE_POOL: '3',
}

/** The settings of a new building, with fresh secrets. `serverUrl`: of the server it shares. */
export function newBuildingSettings(
  { name, address, folder, serverUrl }: NewBuilding & { folder: string },
  others: readonly HostedBuilding[],
): HostedBuilding {
  const { database, serving, owner } = identifiersOf(name)
  const databaseUrl = (username: string) =>
    Object.assign(new URL(serverUrl), { username, password: secret(), pathname: `/${database}`, hash: '' })
      .href
  return {
    name,
    settings: {
      DATABASE_URL: databaseUrl(serving),
      PUBLIC_URL: address,
      ...(address.startsWith('http:') ? { ALLOW_INSECURE_HTTP: 'true' } : {}),
      PORT: String(freePort(others)),
      DATA_DIR: path.join(folder, name),
      ...sharedServerSettings,
      ...Object.fromEntries(secretNames.map((each) => [each, secret()])),
    },
    ownerSettings: { MIGRATION_DATABASE_URL: databaseUrl(owner) },
  }
}

/** 32 characters that need no quoting anywhere. */
const secret = () => randomBytes(24).toString('base64url')

function freePort(others: readonly HostedBuilding[]): number {
  const taken = new Set(others.map(({ settings }) => Number(settings.PORT)))
  let port = firstPort
  while (taken.has(port)) port += 1
  return port
}

/** Throws when the server already has a database or role of this name: it is someone else's. */
async function requireUnused(server: pg.Client, name: string): Promise<void> {
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
 * Makes what is missing of a building's roles and database; may be run again. Its roles may sign in
 * to this database alone; one owns it, the other is granted its rights by the migrations (decision
 * 4.14).
 */
async function makeDatabase(
  server: pg.Client,
  { name, settings, ownerSettings }: HostedBuilding,
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

async function makeRole(server: pg.Client, role: string, address: string): Promise<void> {
  const quoted = server.escapeIdentifier(role)
  const { rowCount } = await server.query('select from pg_roles where rolname = $1', [role])
  // One that is there stays as it is: an operator may have shut it.
  if (rowCount !== 0) return
  const password = decodeURIComponent(new URL(address).password)
  await server.query(`create role ${quoted} login password ${server.escapeLiteral(verifierOf(password))}`)
}

/**
 * What the server keeps of a password (RFC 5803), made here: statements may be in the server's log.
 */
function verifierOf(password: string): string {
  const [salt, rounds] = [randomBytes(16), 4_096]
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
