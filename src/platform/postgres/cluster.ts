import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../process/syncFolder.js'
import type { Binaries } from './binaries.js'
import type { DataFolder } from './dataFolder.js'
import { chownTree } from './folderTree.js'
import { linkTo, type NewPlacement, removeUnfinished } from './placement.js'
import { type Ids, runAsUser } from './runAs.js'

/**
 * The application's role: owns nothing and has only what it was granted (spec §1, decision 4.14).
 */
export const servingRole = 'caretaker'
/** The owner of the databases, for migrations: may create databases, is not a superuser. */
export const ownerRole = 'caretaker_owner'

type Role = typeof servingRole | typeof ownerRole

/** Only our roles may log in, with passwords and from this machine. No superuser login exists. */
const accessRules = [ownerRole, servingRole]
  .map((role) => `host all ${role} 127.0.0.1/32 scram-sha-256\n`)
  .join('')

/** initdb takes about a second, on a slow memory card many. */
const initLimitMs = 45_000

/** The same order on every system: sorted by bytes, with case mapping for all of Unicode. */
const initdbOptions = [
  '--username=postgres',
  '--auth=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-sync',
  '--no-instructions',
]

/**
 * Fills a new placement (roles, database, password files with mode 0600), then renames it into
 * place, and links it from the data folder if it is outside. `synced: false` skips the one sync to
 * disk. Decision 5.2.
 */
export async function initialize(
  folder: DataFolder,
  placement: NewPlacement,
  { initdb, postgres }: Binaries,
  synced: boolean,
): Promise<void> {
  const { unfinished, cluster, runAs } = placement
  const [serving, owner] = [newPassword(), newPassword()]
  await chownTree(unfinished, runAs.init)
  await runOrThrow(placement, initdb, [...initdbOptions, '-D', unfinished], runAs.init)
  await asSuperuser(placement, postgres, [
    `CREATE ROLE ${servingRole} LOGIN PASSWORD '${serving}'`,
    `CREATE ROLE ${ownerRole} LOGIN CREATEDB PASSWORD '${owner}'`,
    // The owner sees what the sessions of both roles do.
    `GRANT ${servingRole} TO ${ownerRole}`,
    `CREATE DATABASE ${servingRole} OWNER ${ownerRole}`,
    // A temporary table would hide the real one of the same name.
    `REVOKE TEMPORARY ON DATABASE ${servingRole} FROM PUBLIC`,
  ])
  await writeFile(join(unfinished, 'pg_hba.conf'), accessRules, { mode: 0o600 })
  await writeFile(passwordFile(unfinished, servingRole), serving, { mode: 0o600 })
  await writeFile(passwordFile(unfinished, ownerRole), owner, { mode: 0o600 })
  await chownTree(unfinished, runAs.server)
  if (synced) await runOrThrow(placement, initdb, ['--sync-only', '-D', unfinished], runAs.server)
  // Fails where another process was faster.
  await rename(unfinished, cluster)
  if (cluster !== folder.cluster) await linkTo(cluster, folder)
  if (synced) await syncFolder(dirname(cluster))
  await removeUnfinished(dirname(cluster))
}

/** A role's URL up to the database's name. Throws when the password file is missing. */
export async function addressOf(role: Role, cluster: string, port: number): Promise<string> {
  const file = passwordFile(cluster, role)
  const password = await readFile(file, 'utf8').catch((cause) => {
    throw new Error(
      `We can't read the password of the private PostgreSQL. Restore ${file}. ` +
        '(A database from before Caretaker 1.0.0 has none: move it with a backup by that version.)',
      { cause },
    )
  })
  return `postgres://${role}:${password}@127.0.0.1:${port}/`
}

/** Throws for another major version, and when it is not a cluster or not ours. Changes nothing. */
export async function checkCluster(cluster: string, { major }: Binaries): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version === major) {
    for (const role of [ownerRole, servingRole] as const) await addressOf(role, cluster, 0)
    return
  }
  if (version === '')
    throw new Error(
      `There is no PostgreSQL database in ${cluster}. Move the folder away to start with an empty database.`,
    )
  throw new Error(
    `The database in ${cluster} was written by PostgreSQL ${version}; this version of Caretaker includes ${major}. Nothing was ` +
      `changed. Run the version of Caretaker that wrote it, or move the data with pg_dump and your own PostgreSQL ` +
      `${version}. To start with an empty database, move the folder away.`,
  )
}

/** Runs statements in single-user mode, without a server; errors never quote them. */
async function asSuperuser(placement: NewPlacement, postgres: string, statements: string[]): Promise<void> {
  const where = ['-F', '-D', placement.unfinished, 'postgres']
  const args = ['--single', '-j', '-c', 'log_min_error_statement=panic', ...where]
  // With -j a blank line ends a statement.
  const input = statements.map((each) => `${each};\n\n`).join('')
  await runOrThrow(placement, postgres, args, placement.runAs.init, input)
}

/** Single-user mode exits with 0 even after an error, so its output is read too. */
async function runOrThrow(
  { runAs, cluster }: NewPlacement,
  program: string,
  args: string[],
  ids: Ids,
  input = '',
): Promise<void> {
  const { ok, output } = await runAsUser(runAs, program, args, { ids, input, limitMs: initLimitMs })
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
