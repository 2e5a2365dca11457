import { readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as elsewhere from './processesElsewhere.js'

/** A process that cannot be mistaken for a later one with the same number: pid and a text naming its start. */
export type Identity = { pid: number; start: string }

/** Alive, but the system hides it from us (hidepid): it may be the one meant, and must never be signalled. */
const HIDDEN = 'hidden'

const onLinux = process.platform === 'linux'

/** The identity of a running process, undefined when there is none (a zombie counts as none). */
export async function identify(pid: number): Promise<Identity | undefined> {
  if (!isTaken(pid)) return undefined
  const start = onLinux ? await startOnLinux(pid) : await elsewhere.startOf(pid)
  return start === undefined ? undefined : { pid, start }
}

/** Whether the very process that was once identified still runs. A hidden one counts as running. */
export async function isAlive(identity: Identity): Promise<boolean> {
  const now = await identify(identity.pid)
  return now !== undefined && (now.start === identity.start || now.start === HIDDEN)
}

/** Sends a signal to the identified process only; a stranger with its number is left alone. */
export async function signal(identity: Identity, name: NodeJS.Signals): Promise<void> {
  const now = await identify(identity.pid)
  if (now?.start !== identity.start || now.start === HIDDEN) return
  try {
    process.kill(identity.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits until the identified process is gone; false when `waitMs` passed before. */
export async function waitUntilGone(identity: Identity, waitMs: number): Promise<boolean> {
  const until = Date.now() + waitMs
  while (await isAlive(identity)) {
    if (Date.now() > until) return false
    await sleep(25)
  }
  return true
}

/** Whether this process is the postmaster of exactly this data folder (both as real paths). */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!onLinux) return elsewhere.isPostmasterOf(pid, cluster)
  const [program = '', ...rest] = await argumentsOf(pid)
  if (basename(program) !== 'postgres') return false
  return (await workingFolder(pid)) === cluster || rest[rest.indexOf('-D') + 1] === cluster
}

/** Whether the number is in use, be it by a zombie nobody has fetched yet. */
export function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Ticks since boot alone could meet again after a reboot, so the boot is part of the text. */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await read(`/proc/${pid}/stat`)
  if (stat === undefined) return isTaken(pid) ? HIDDEN : undefined
  // The command name, in brackets, may itself hold brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  const boot = (await read('/proc/sys/kernel/random/boot_id')) ?? ''
  return `${boot.trim()}:${fields[19]}`
}

async function argumentsOf(pid: number): Promise<string[]> {
  return ((await read(`/proc/${pid}/cmdline`)) ?? '').split('\0')
}

/** A postmaster lives in its data folder, also after the folder was renamed under it. */
async function workingFolder(pid: number): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined)
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
