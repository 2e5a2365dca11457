import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findPgCtl } from './binaries.js'
import { asMyself, CHILD_ENVIRONMENT, run } from './runAs.js'

/** What postmaster.pid says: its status is `starting`, `ready`, `stopping`, or `single-user` of one without clients. */
export type Postmaster = { pid: number; port: number; status: string }

const { platform } = process
const execute = promisify(execFile)

/** Fast shutdown, then immediate (the next start recovers), then by force: PostgreSQL's own three ways. */
const WAYS_TO_STOP: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 8_000],
  ['SIGKILL', 5_000],
]

/** The server that runs on this cluster (a real path), known to be no stranger; undefined when none does. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = await readPidFile(cluster)
  return file && (await runsOn(cluster, file.pid)) ? file : undefined
}

/**
 * The environment of a server to be started. One that finds the pid of a dead server in use again, or kept by a zombie,
 * would take that for the old server and refuse to start; told that it is its grandparent's, it goes on.
 */
export async function environmentOn(cluster: string): Promise<Record<string, string>> {
  const file = await readPidFile(cluster)
  if (file === undefined || (await runsOn(cluster, file.pid))) return CHILD_ENVIRONMENT
  return { ...CHILD_ENVIRONMENT, PG_GRANDPARENT_PID: String(file.pid) }
}

/** Whether a process serves a client of ours, asked of the system: for a postmaster which does not answer. */
export async function hasClients({ pid }: Postmaster): Promise<boolean> {
  // Windows shows no titles: there a server counts as used.
  if (platform === 'win32') return true
  return (await titlesBelow(pid)).some((title) => title.startsWith('postgres: caretaker'))
}

/** Stops a postmaster and waits until it is gone; `atOnce` skips the polite way. Throws when it does not end. */
export async function stopPostmaster(
  { pid }: Pick<Postmaster, 'pid'>,
  cluster: string,
  atOnce = false,
): Promise<void> {
  if (platform === 'win32' && (await stopOnWindows(cluster))) return
  for (const [signal, limitMs] of atOnce ? WAYS_TO_STOP.slice(1) : WAYS_TO_STOP) {
    // One that was halted would not hear of it.
    for (const each of [signal, 'SIGCONT'] as const) await tell(pid, cluster, each)
    for (const until = Date.now() + limitMs; Date.now() < until; await sleep(25))
      if (!(await runsOn(cluster, pid))) return
  }
  throw new Error(`The private PostgreSQL (process ${pid}) does not end.`)
}

async function tell(pid: number, cluster: string, signal: NodeJS.Signals): Promise<void> {
  if (!(await runsOn(cluster, pid)) || (signal === 'SIGCONT' && platform === 'win32')) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function stopOnWindows(cluster: string): Promise<boolean> {
  const args = ['stop', '-m', 'fast', '-w', '-t', '10', '-D', cluster]
  return (await run(asMyself, await findPgCtl(), args, { limitMs: 15_000 })).ok
}

async function readPidFile(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await read(join(cluster, 'postmaster.pid'))).split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!pid) return undefined
  const status = pid < 0 ? 'single-user' : (lines[7] ?? 'starting').trim()
  return { pid: Math.abs(pid), port: Number(lines[3] ?? 0), status }
}

/** Whether this process, which may have a dead one's number, is PostgreSQL on this cluster. A zombie is not. */
async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (platform !== 'linux') {
    const command = slashed(await commandOf(pid))
    return command.includes('postgres') && command.includes(slashed(cluster))
  }
  const [program = '', ...rest] = (await read(`/proc/${pid}/cmdline`)).split('\0')
  if (basename(program) !== 'postgres') return false
  // It stands in its data folder, also after that was renamed.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === cluster || rest[rest.indexOf('-D') + 1] === cluster
}

async function commandOf(pid: number): Promise<string> {
  if (platform !== 'win32') return output('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  const script = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`
  return output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script])
}

function slashed(text: string): string {
  return platform === 'win32' ? text.replaceAll('\\', '/').toLowerCase() : text
}

/** The titles of the living processes which this one started. */
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
