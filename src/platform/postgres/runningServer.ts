import { execFile } from 'node:child_process'
import { readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { readOrEmpty } from './folderTree.js'

/** From postmaster.pid; status: `starting`, `ready` or `stopping`. */
export type RunningServer = { pid: number; port: number; status: string }

/**
 * The server that runs on this cluster (a real path). `pg_ctl status` cannot tell: it takes any
 * process for the server that has a killed one's pid.
 */
export async function findServer(cluster: string): Promise<RunningServer | undefined> {
  const lines = (await readOrEmpty(pidFile(cluster))).split('\n')
  // Negative in single-user mode, which is never ready.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!pid || !(await runsOn(cluster, pid))) return undefined
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? 'starting').trim() }
}

/**
 * After a kill or a power cut a stranger may have the server's pid, or a zombie that no one waits
 * for, as in a container: PostgreSQL would take it for a server and refuse to start.
 */
export async function removePidOfStranger(cluster: string): Promise<void> {
  const pid = Number.parseInt(await readOrEmpty(pidFile(cluster)), 10)
  if (pid > 0 && isProcess(pid) && !(await runsOn(cluster, pid))) await rm(pidFile(cluster), { force: true })
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether this process is PostgreSQL on this cluster. A zombie is not. */
async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') {
    const listing = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    const { stdout } = await listing.catch(() => ({ stdout: '' }))
    return stdout.includes('postgres') && stdout.includes(cluster)
  }
  const [program = '', ...rest] = (await readOrEmpty(`/proc/${pid}/cmdline`)).split('\0')
  if (basename(program) !== 'postgres') return false
  // The server works in its data folder, also after a rename; not every root may see where.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === cluster || rest[rest.indexOf('-D') + 1] === cluster
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
