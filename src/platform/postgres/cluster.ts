import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.js'
import type { DataFolder } from './dataFolder.js'
import { chown, exists, syncFolder } from './fsTree.js'
import { moveIn, type NewPlacement, type Placement } from './placement.js'
import { environmentOn } from './postmaster.js'
import { type Ids, runAsUser } from './runAs.js'

/**
 * The application's role: owns nothing and has only what it was granted (spec §1, decision 4.14).
 */
export const SERVING_ROLE = 'caretaker'
/** The owner of the databases, for migrations: may create databases, is not a superuser. */
export const OWNER_ROLE = 'caretaker_owner'

type Role = typeof SERVING_ROLE | typeof OWNER_ROLE

/** Only our roles may log in, with passwords and from this machine. No superuser login exists. */
const HBA = [OWNER_ROLE, SERVING_ROLE].map((role) => `host all ${role} 127.0.0.1/32 scram-sha-256\n`).join('')

/** initdb takes about a second, on a slow memory card many. */
const INIT_LIMIT_MS = 45_000

/** The same order on every system: sorted by bytes, with case mapping for all of Unicode. */
const INITDB = [
  ...['--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C'],
  ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync', '--no-instructions'],
]

/** A temporary table would hide the real one of the same name. */
const noTemporaryTables = `REVOKE TEMPORARY ON DATABASE ${SERVING_ROLE} FROM PUBLIC`

/**
 * Fills a new placement (roles, database, password files with mode 0600), then renames it into
 * place. `synced: false` skips the one sync to disk. Decision 5.2.
 */
export async function initialize(
  folder: DataFolder,
  placement: NewPlacement,
  { initdb, postgres }: Binaries,
  synced: boolean,
): Promise<void> {
  const { attempt, runAs } = placement
  const serving = newPassword()
  await chown(runAs.init, attempt)
  await runOrThrow(placement, runAs.init, initdb, [...INITDB, '-D', attempt])
  await writeFile(passwordFile(attempt, SERVING_ROLE), serving, { mode: 0o600 })
  await addOwner(attempt, (owner) =>
    asSuperuser(
      placement,
      postgres,
      ['-F', '-D', attempt, 'postgres'],
      [
        `CREATE ROLE ${SERVING_ROLE} LOGIN PASSWORD '${serving}'`,
        ...owner,
        `CREATE DATABASE ${SERVING_ROLE} OWNER ${OWNER_ROLE}`,
        noTemporaryTables,
      ],
    ),
  )
  await chown(runAs.server, attempt)
  if (synced) await runOrThrow(placement, runAs.server, initdb, ['--sync-only', '-D', attempt])
  await moveIn(folder, placement)
  if (synced) await syncFolder(dirname(placement.cluster))
}

/** False for a cluster of earlier versions, where one role owns and serves. */
export async function hasOwner(cluster: string): Promise<boolean> {
  return exists(passwordFile(cluster, OWNER_ROLE))
}

/**
 * Splits the single role of earlier versions, which owned the audit log it wrote, into today's two.
 */
export async function splitRoles(placement: Placement, { postgres }: Binaries): Promise<void> {
  const { cluster, runAs } = placement
  await chown(runAs.init, cluster)
  try {
    await addOwner(cluster, (owner) =>
      asSuperuser(
        placement,
        postgres,
        ['-D', cluster, SERVING_ROLE],
        [
          ...owner,
          `ALTER ROLE ${SERVING_ROLE} NOCREATEDB`,
          `REASSIGN OWNED BY ${SERVING_ROLE} TO ${OWNER_ROLE}`,
          noTemporaryTables,
        ],
      ),
    )
  } finally {
    await chown(runAs.server, cluster)
  }
}

/** A role's URL up to the database's name. Throws when the password file is missing. */
export async function addressOf(role: Role, cluster: string, port: number): Promise<string> {
  const file = passwordFile(cluster, role)
  const password = await readFile(file, 'utf8').catch((cause) => {
    throw new Error(`We can't read the password of the private PostgreSQL. Restore ${file}.`, { cause })
  })
  return `postgres://${role}:${password}@127.0.0.1:${port}/`
}

/** Throws for another major version, or when it is not a cluster. Changes nothing. */
export async function checkVersion(cluster: string, { major }: Binaries): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === major) return
  if (found === '')
    throw new Error(
      `There is no PostgreSQL database in ${cluster}. Move the folder away to start with an empty database.`,
    )
  throw new Error(
    `The database in ${cluster} was written by PostgreSQL ${found}; this version of Caretaker includes ${major}. Nothing was ` +
      `changed. Run the version of Caretaker that wrote it, or move the data with pg_dump and your own PostgreSQL ` +
      `${found}. To start with an empty database, move the folder away.`,
  )
}

/**
 * Adds the owning role. The statements may be run again, and the password file is written last as
 * the sign of completion, so the next start repairs a kill in between.
 */
async function addOwner(cluster: string, run: (statements: string[]) => Promise<void>): Promise<void> {
  const password = newPassword()
  const missing = `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${OWNER_ROLE}')`
  await run([
    `DO $$ BEGIN ${missing} THEN CREATE ROLE ${OWNER_ROLE}; END IF; END $$`,
    `ALTER ROLE ${OWNER_ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
    // The owner counts the sessions of both roles before stopping the server.
    `GRANT ${SERVING_ROLE} TO ${OWNER_ROLE}`,
  ])
  await replaceFile(join(cluster, 'pg_hba.conf'), HBA)
  await replaceFile(passwordFile(cluster, OWNER_ROLE), password)
  await syncFolder(cluster)
}

/** Runs statements in single-user mode, without a server; errors never quote them. */
async function asSuperuser(
  placement: Placement,
  postgres: string,
  where: string[],
  statements: string[],
): Promise<void> {
  const args = ['--single', '-j', '-c', 'log_min_error_statement=panic', ...where]
  // With -j a blank line ends a statement.
  const input = statements.map((each) => `${each};\n\n`).join('')
  for (const until = Date.now() + INIT_LIMIT_MS; ; await sleep(200)) {
    try {
      return await runOrThrow(placement, placement.runAs.init, postgres, args, input)
    } catch (error) {
      // What a start that was killed has left in single-user mode ends by itself.
      const { message } = error as Error
      const isLeft = isStillUsed(message) || /lock file .* already exists/.test(message)
      if (Date.now() > until || !isLeft) throw error
    }
  }
}

/** Backends of a killed server may still be exiting. */
export function isStillUsed(output: string): boolean {
  return /shared memory block/.test(output)
}

/** Single-user mode exits with 0 even after an error, so its output is read too. */
async function runOrThrow(
  { runAs, cluster }: Placement,
  ids: Ids,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const limits = { env: await environmentOn(cluster), limitMs: INIT_LIMIT_MS }
  const { ok, output } = await runAsUser(runAs, program, args, { ids, input, ...limits })
  if (ok && !/\b(ERROR|FATAL|PANIC):/.test(output)) return
  const end = output.split('\n').slice(-6).join('\n')
  throw new Error(`We couldn't set up the private PostgreSQL in ${dirname(cluster)}: ${end}`)
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

function passwordFile(cluster: string, role: Role): string {
  return join(cluster, `${role}.password`)
}

/** Complete or not at all, even through a power cut. */
async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
