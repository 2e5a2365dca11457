import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Area } from './area.js'
import type { Binaries } from './binaries.js'
import { moveIn, type NewHome } from './home.js'
import { type Ids, run } from './runAs.js'
import { giveTo, syncFolder } from './trees.js'

/** The application's role: owner of its databases, may create more, is no superuser. */
export const ROLE = 'caretaker'

/** initdb takes about a second; a slow card in a small board may need many. */
const INIT_LIMIT_MS = 45_000

/** Deterministic on every system: bytes decide the order, upper and lower case know all of Unicode. */
const INITDB = [
  ...['--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C'],
  ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync', '--no-instructions'],
]

/** The one door: our role, with its password, from this machine. Nobody logs in as superuser. */
const HBA = `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`

/**
 * Fills the attempt of a new home and moves it into place complete: role, database, password file (0600)
 * and all. `synced: false` leaves out the one sync to disk. Decision 5.2.
 */
export async function initialize(
  area: Area,
  home: NewHome,
  binaries: Binaries,
  synced: boolean,
): Promise<void> {
  const { attempt, runAs } = home
  await giveTo(runAs.init, attempt)
  await must(home, runAs.init, binaries.initdb, [...INITDB, '-D', attempt])
  const password = randomBytes(24).toString('hex')
  await writeFile(passwordFile(attempt), password, { mode: 0o600 })
  await writeFile(join(attempt, 'pg_hba.conf'), HBA)
  await must(
    home,
    runAs.init,
    binaries.postgres,
    ['--single', '-j', '-F', '-D', attempt, 'postgres'],
    firstWords(password),
  )
  await giveTo(runAs.server, attempt)
  if (synced) await must(home, runAs.server, binaries.initdb, ['--sync-only', '-D', attempt])
  await moveIn(area, home)
  if (synced) await syncFolder(dirname(home.cluster))
}

/** The role's password. Throws when its file is gone. */
export async function readPassword(cluster: string): Promise<string> {
  return readFile(passwordFile(cluster), 'utf8').catch((cause) => {
    throw new Error(
      `The password of the private PostgreSQL cannot be read; bring ${passwordFile(cluster)} back.`,
      { cause },
    )
  })
}

/** Throws when the cluster is of another major version, or is none. Nothing is changed. */
export async function checkVersion(cluster: string, { major }: Binaries): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === major) return
  if (found === '')
    throw new Error(`${cluster} holds no PostgreSQL database. Move it away to start with an empty one.`)
  throw new Error(
    `The database in ${cluster} was written by PostgreSQL ${found}; this Caretaker brings ${major}. Nothing was ` +
      `changed. Run the Caretaker version that wrote it, or move its content over with pg_dump and a PostgreSQL ` +
      `${found} of your own; to start with an empty database, move the folder away.`,
  )
}

function passwordFile(cluster: string): string {
  return join(cluster, 'caretaker.password')
}

/** In single-user mode a blank line ends a statement (-j). */
function firstWords(password: string): string {
  const role = `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}';`
  return `${role}\n\nCREATE DATABASE ${ROLE} OWNER ${ROLE};\n\n`
}

/** Single-user mode answers 0 even after an error, so its words are read too. */
async function must(home: NewHome, ids: Ids, program: string, args: string[], input = ''): Promise<void> {
  const { ok, output } = await run(home.runAs, program, args, { ids, input, limitMs: INIT_LIMIT_MS })
  if (ok && !/\b(ERROR|FATAL|PANIC):/.test(output)) return
  const end = output.split('\n').slice(-6).join('\n')
  throw new Error(`The private PostgreSQL could not be set up in ${dirname(home.cluster)}: ${end}`)
}
