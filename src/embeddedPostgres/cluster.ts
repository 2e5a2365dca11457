import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Area } from './area.js'
import type { Binaries } from './binaries.js'
import { type Home, moveIn, type NewHome } from './home.js'
import { writeRoles } from './roles.js'
import { type Ids, run } from './runAs.js'
import { giveTo, syncFolder } from './trees.js'

/** initdb takes about a second; a slow card in a small board may need many. */
const INIT_LIMIT_MS = 45_000

/** Deterministic on every system: bytes decide the order, upper and lower case know all of Unicode. */
const INITDB = [
  ...['--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C'],
  ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync', '--no-instructions'],
]

/**
 * Fills the attempt of a new home and moves it into place complete: roles, database, password files (0600)
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
  const words = await writeRoles(attempt)
  await asSuperuser(home, binaries, attempt, words, ['-F'])
  await giveTo(runAs.server, attempt)
  if (synced) await must(home, runAs.server, binaries.initdb, ['--sync-only', '-D', attempt])
  await moveIn(area, home)
  if (synced) await syncFolder(dirname(home.cluster))
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

/** Runs statements on a cluster without a server, in single-user mode; none of them is quoted when one fails. */
export async function asSuperuser(
  home: Home,
  { postgres }: Binaries,
  cluster: string,
  words: string,
  options: string[] = [],
): Promise<void> {
  const quiet = ['-c', 'log_min_error_statement=panic']
  const args = ['--single', '-j', ...options, ...quiet, '-D', cluster, 'postgres']
  await must(home, home.runAs.init, postgres, args, words)
}

/** Single-user mode answers 0 even after an error, so its words are read too. */
async function must(home: Home, ids: Ids, program: string, args: string[], input = ''): Promise<void> {
  const { ok, output } = await run(home.runAs, program, args, { ids, input, limitMs: INIT_LIMIT_MS })
  if (ok && !/\b(ERROR|FATAL|PANIC):/.test(output)) return
  const end = output.split('\n').slice(-6).join('\n')
  throw new Error(`The private PostgreSQL could not be set up in ${dirname(home.cluster)}: ${end}`)
}
