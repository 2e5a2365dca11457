import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

export type Ids = { uid?: number; gid?: number }

/** Who PostgreSQL's programs run as, since they refuse to run as root. Decision 5.1. */
export type RunAs = {
  /** the command line that runs a program with its arguments */
  wrap: (program: string, args: string[]) => [string, ...string[]]
  /** whom the server runs as and the data belongs to; empty: the same as this process */
  server: Ids
  /** the same for initdb, which insists on a name in the user list for its id */
  init: Ids
}

/** Ids which no distribution or service manager gives to anybody. */
const SPARE_IDS = { first: 60_600, count: 500 }

/** PATH only: neither our secrets nor PG* variables belong in the server's environment. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** A folder every user may stand in: the caller's own may be closed to the one PostgreSQL runs as. */
export const NEUTRAL_FOLDER = process.platform === 'win32' ? undefined : '/'

/** The way for everybody but root. */
export const asMyself: RunAs = { wrap: (program, args) => [program, ...args], server: {}, init: {} }

/** Root in a user namespace, where it goes by a harmless id but keeps what it owns (util-linux). */
export async function inNamespace(): Promise<RunAs> {
  const id = await namedId()
  const prefix = ['--user', `--map-user=${id}`, `--map-group=${id}`, '--']
  return { ...asMyself, wrap: (program, args) => ['unshare', ...prefix, program, ...args] }
}

/** An unprivileged user of our own, the same one for the same data folder, for when namespaces are refused. */
export async function asSpareUser(hash: string): Promise<RunAs> {
  const id = SPARE_IDS.first + (Number.parseInt(hash.slice(0, 8), 16) % SPARE_IDS.count)
  return asOwner(id, id)
}

/** The user a data folder belongs to already. */
export async function asOwner(uid: number, gid: number): Promise<RunAs> {
  const named = (await namedIds()).includes(uid) ? uid : await namedId()
  return { ...asMyself, server: { uid, gid }, init: { uid: named, gid } }
}

type RunOptions = { ids?: Ids; input?: string; limitMs?: number; env?: Record<string, string> }

/** Runs a program to its end, stdout and stderr together; never throws, kills it after `limitMs`. */
export async function run(
  runAs: RunAs,
  program: string,
  args: string[],
  { ids = runAs.server, input = '', limitMs = 10_000, env = CHILD_ENVIRONMENT }: RunOptions = {},
): Promise<{ ok: boolean; output: string }> {
  const limits = { timeout: limitMs, killSignal: 'SIGKILL' } as const
  try {
    const [command, ...rest] = runAs.wrap(program, args)
    const child = spawn(command, rest, { ...ids, ...limits, cwd: NEUTRAL_FOLDER, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.stdin.on('error', () => undefined).end(input)
    const [code] = await once(child, 'close')
    return { ok: code === 0, output: output.trim() }
  } catch (error) {
    return { ok: false, output: (error as Error).message }
  }
}

/** Whether the server's user can come to this folder and write in it. */
export async function reaches(runAs: RunAs, folder: string): Promise<boolean> {
  return (await passes(runAs, folder)) && isAllowed(runAs, '-w', folder)
}

/** Whether the server's user can pass through this folder to one below. */
export async function passes(runAs: RunAs, folder: string): Promise<boolean> {
  return isAllowed(runAs, '-x', folder)
}

async function isAllowed(runAs: RunAs, flag: string, folder: string): Promise<boolean> {
  return runAs === asMyself || (await run(runAs, '/bin/sh', ['-c', 'test "$1" "$2"', 'sh', flag, folder])).ok
}

/** initdb asks for the name of its user: daemon or nobody where they exist, else any that is not root. */
async function namedId(): Promise<number> {
  const ids = await namedIds()
  const id = [1, 65_534].find((usual) => ids.includes(usual)) ?? ids.find((other) => other > 0)
  if (id === undefined)
    throw new Error('PostgreSQL refuses to run as root, and /etc/passwd names no other user.')
  return id
}

async function namedIds(): Promise<number[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  // macOS writes nobody's id as -2.
  return lines
    .filter((line) => /^[^#:]+:[^:]*:-?\d+:/.test(line))
    .map((line) => Number(line.split(':')[2]) >>> 0)
}
