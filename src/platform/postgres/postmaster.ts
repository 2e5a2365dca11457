import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CHILD_ENVIRONMENT } from './runAs.js'

/** From postmaster.pid; status: `starting`, `ready`, `stopping`, or `single-user` (no clients). */
export type Postmaster = { pid: number; port: number; status: string }

const { platform } = process
const execute = promisify(execFile)

/** Signals and their limits in ms: fast shutdown, immediate (the next start recovers), kill. */
const WAYS_TO_STOP: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 8_000],
  ['SIGKILL', 5_000],
]

/** The server on this cluster (a real path); undefined without one, even if its pid is reused. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = await readPidFile(cluster)
  return file && (await runsOn(cluster, file.pid)) ? file : undefined
}

/**
 * The environment for a new server. A dead server's pid in use again (or a zombie) would look like
 * that server, and the start be refused; declaring it the grandparent's pid prevents that.
 */
export async function environmentOn(cluster: string): Promise<Record<string, string>> {
  const file = await readPidFile(cluster)
  if (file === undefined || (await runsOn(cluster, file.pid))) return CHILD_ENVIRONMENT
  return { ...CHILD_ENVIRONMENT, PG_GRANDPARENT_PID: String(file.pid) }
}

/** Whether the process list shows a client of ours: for a postmaster that does not answer. */
export async function hasClients({ pid }: Postmaster): Promise<boolean> {
  return (await titlesBelow(pid)).some((title) => title.startsWith('postgres: caretaker'))
}

/** Stops a postmaster; `atOnce` skips the fast shutdown. Throws when it does not end. */
export async function stopPostmaster(
  { pid }: Pick<Postmaster, 'pid'>,
  cluster: string,
  atOnce = false,
): Promise<void> {
  for (const [signal, limitMs] of atOnce ? WAYS_TO_STOP.slice(1) : WAYS_TO_STOP) {
    // A halted process would not receive the signal without SIGCONT.
    for (const each of [signal, 'SIGCONT'] as const) await sendSignal(pid, cluster, each)
    for (const until = Date.now() + limitMs; Date.now() < until; await sleep(25))
      if (!(await runsOn(cluster, pid))) return
  }
  throw new Error(`The private PostgreSQL (process ${pid}) isn't stopping.`)
}

async function sendSignal(pid: number, cluster: string, signal: NodeJS.Signals): Promise<void> {
  if (!(await runsOn(cluster, pid))) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function readPidFile(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await read(join(cluster, 'postmaster.pid'))).split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!pid) return undefined
  const status = pid < 0 ? 'single-user' : (lines[7] ?? 'starting').trim()
  return { pid: Math.abs(pid), port: Number(lines[3] ?? 0), status }
}

/** Whether this process is PostgreSQL on this cluster: a pid may be reused. A zombie is not. */
async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (platform !== 'linux') {
    const command = await output('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return command.includes('postgres') && command.includes(cluster)
  }
  const [program = '', ...rest] = (await read(`/proc/${pid}/cmdline`)).split('\0')
  if (basename(program) !== 'postgres') return false
  // A postmaster's working directory is its data folder, also after a rename.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === cluster || rest[rest.indexOf('-D') + 1] === cluster
}

/** The titles of living child processes. */
async function titlesBelow(pid: number): Promise<string[]> {
  if (platform === 'linux') {
    const children = (await read(`/proc/${pid}/task/${pid}/children`)).split(' ').filter(Boolean)
    return Promise.all(children.map((child) => read(`/proc/${child}/cmdline`)))
  }
  const lines = (await output('ps', ['-axww', '-o', 'ppid=,command='])).split('\n')
  return lines.flatMap((line) => (Number.parseInt(line, 10) === pid ? [line.replace(/^\s*\d+\s+/, '')] : []))
}

async function output(program: string, args: string[]): Promise<string> {
  return execute(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
