import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

export type Ids = { uid?: number; gid?: number }

/** Which user PostgreSQL's programs run as, since they refuse root. Decision 5.1. */
export type RunAs = {
  /** The server's user, who owns the data; empty: the same as this process. */
  server: Ids
  /** The same for initdb, which needs a user name for its id. */
  init: Ids
  /** Whether it is the user of this process, who can reach what it reaches itself. */
  isSameUser: boolean
}

/** Ids that no distribution or service manager assigns. */
const spareIds = { first: 60_600, count: 500 }

/** PATH only: the server must get neither our secrets nor PG* variables. */
export const childEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** A working directory open to every user: the caller's may be closed to PostgreSQL's. */
export const neutralFolder = '/'

/** For everybody but root. */
export const asMyself: RunAs = { server: {}, init: {}, isSameUser: true }

/** For root: an unprivileged user, the same for the same data folder. */
export async function asSpareUser(hash: string): Promise<RunAs> {
  const id = spareIds.first + (Number.parseInt(hash.slice(0, 8), 16) % spareIds.count)
  return asOwner(id, id)
}

/** The user who already owns a data folder. */
export async function asOwner(uid: number, gid: number): Promise<RunAs> {
  const initUid = (await namedIds()).includes(uid) ? uid : await namedId()
  return { server: { uid, gid }, init: { uid: initUid, gid }, isSameUser: false }
}

type RunOptions = { ids?: Ids; input?: string; limitMs?: number }

/**
 * Runs a program to its end, stdout and stderr together; never throws, kills it after `limitMs`.
 */
export async function runAsUser(
  runAs: RunAs,
  program: string,
  args: string[],
  { ids = runAs.server, input = '', limitMs = 10_000 }: RunOptions = {},
): Promise<{ ok: boolean; output: string }> {
  const limits = { timeout: limitMs, killSignal: 'SIGKILL' } as const
  try {
    const child = spawn(program, args, {
      ...ids,
      ...limits,
      cwd: neutralFolder,
      env: childEnvironment,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.stdin.on('error', () => undefined).end(input)
    const [code] = await once(child, 'close')
    return { ok: code === 0, output: output.trim() }
  } catch (error) {
    return { ok: false, output: (error as Error).message }
  }
}

/** Whether the server's user can reach this folder and write in it. */
export async function canWriteIn(runAs: RunAs, folder: string): Promise<boolean> {
  return (await canPass(runAs, folder)) && isAllowed(runAs, '-w', folder)
}

/** Whether the server's user can pass through this folder. */
export async function canPass(runAs: RunAs, folder: string): Promise<boolean> {
  return isAllowed(runAs, '-x', folder)
}

async function isAllowed(runAs: RunAs, flag: string, folder: string): Promise<boolean> {
  if (runAs.isSameUser) return true
  return (await runAsUser(runAs, '/bin/sh', ['-c', 'test "$1" "$2"', 'sh', flag, folder])).ok
}

/** initdb needs a user name: daemon or nobody where they exist, else any but root. */
async function namedId(): Promise<number> {
  const ids = await namedIds()
  const id = [1, 65_534].find((usual) => ids.includes(usual)) ?? ids.find((other) => other > 0)
  if (id === undefined)
    throw new Error('PostgreSQL can’t run as root, and there is no other user in /etc/passwd.')
  return id
}

async function namedIds(): Promise<number[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  // macOS writes nobody's id as -2.
  return lines
    .filter((line) => /^[^#:]+:[^:]*:-?\d+:/.test(line))
    .map((line) => Number(line.split(':')[2]) >>> 0)
}
