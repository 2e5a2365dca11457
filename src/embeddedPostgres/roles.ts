import { randomBytes } from 'node:crypto'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { exists, syncFolder } from './trees.js'

/** What the application serves as: it owns nothing, and may do what it was granted (spec §1, decision 4.14). */
export const SERVING_ROLE = 'caretaker'
/** Owns the databases and all in them, may make more, is no superuser: migrations run as this one. */
export const OWNER_ROLE = 'caretaker_owner'

type Role = typeof SERVING_ROLE | typeof OWNER_ROLE

/** The only doors: our roles, with their passwords, from this machine. Nobody logs in as superuser. */
const HBA = [OWNER_ROLE, SERVING_ROLE].map((role) => `host all ${role} 127.0.0.1/32 scram-sha-256\n`).join('')

/** What the serving role owns is the owner's to take over, in each database when it is opened. */
const mayTakeOver = `GRANT ${SERVING_ROLE} TO ${OWNER_ROLE}`

/** Writes the passwords and the doors into a cluster being made; returns the statements that make the roles. */
export async function writeRoles(cluster: string): Promise<string> {
  const [owner, serving] = [newPassword(), newPassword()]
  await writeFile(passwordFile(cluster, OWNER_ROLE), owner, { mode: 0o600 })
  await writeFile(passwordFile(cluster, SERVING_ROLE), serving, { mode: 0o600 })
  await writeFile(join(cluster, 'pg_hba.conf'), HBA)
  return script(
    `CREATE ROLE ${OWNER_ROLE} LOGIN CREATEDB PASSWORD '${owner}'`,
    `CREATE ROLE ${SERVING_ROLE} LOGIN PASSWORD '${serving}'`,
    mayTakeOver,
    `CREATE DATABASE ${SERVING_ROLE} OWNER ${OWNER_ROLE}`,
  )
}

/** False for a cluster of earlier versions, whose one role owns what it serves. */
export async function hasOwner(cluster: string): Promise<boolean> {
  return exists(passwordFile(cluster, OWNER_ROLE))
}

/**
 * Gives such a cluster its owner. `run` carries statements out as superuser, all of which may have been carried out
 * before; the password file comes last and says that all is done, so a kill in between is made good by the next start.
 */
export async function addOwner(cluster: string, run: (words: string) => Promise<void>): Promise<void> {
  const password = newPassword()
  const missing = `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${OWNER_ROLE}')`
  await run(
    script(
      `DO $$ BEGIN ${missing} THEN CREATE ROLE ${OWNER_ROLE}; END IF; END $$`,
      `ALTER ROLE ${OWNER_ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
      mayTakeOver,
      `ALTER ROLE ${SERVING_ROLE} NOCREATEDB`,
    ),
  )
  await replaceFile(join(cluster, 'pg_hba.conf'), HBA)
  await replaceFile(passwordFile(cluster, OWNER_ROLE), password)
  await syncFolder(cluster)
}

/** The address of one of the cluster's roles on its server, to be followed by the database's name. Throws when its password is gone. */
export async function addressOf(role: Role, cluster: string, port: number): Promise<string> {
  const file = passwordFile(cluster, role)
  const password = await readFile(file, 'utf8').catch((cause) => {
    throw new Error(`The password of the private PostgreSQL cannot be read; bring ${file} back.`, { cause })
  })
  return `postgres://${role}:${password}@127.0.0.1:${port}/`
}

/** Whether the serving role still owns something of this database, or could put temporary tables before the real ones. */
export async function isServedByOwner(client: pg.Client, database: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select has_database_privilege($2, d.oid, 'TEMP') or exists (
       select from pg_shdepend s
       where s.refclassid = 'pg_authid'::regclass and s.refobjid = $2::regrole and s.deptype = 'o'
         and (s.dbid = d.oid or (s.classid = 'pg_database'::regclass and s.objid = d.oid))) as found
     from pg_database d where d.datname = $1`,
    [database, SERVING_ROLE],
  )
  return rows[0]?.found ?? false
}

/** Gives the database and all that the serving role owns in it to the owner, in one transaction. */
export async function takeOver(client: pg.Client, database: string): Promise<void> {
  await client.query(
    `reassign owned by ${SERVING_ROLE} to ${OWNER_ROLE};
     revoke temporary on database ${client.escapeIdentifier(database)} from public`,
  )
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

function passwordFile(cluster: string, role: Role): string {
  return join(cluster, `${role}.password`)
}

/** In single-user mode a blank line ends a statement (-j). */
function script(...statements: string[]): string {
  return statements.map((each) => `${each};\n\n`).join('')
}

/** Whole or not at all, also through a power cut. */
async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
