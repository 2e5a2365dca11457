import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Identity, identify, isPostmasterOf, isTaken } from './processes.js'

/** What a postmaster writes about itself: `starting`, `ready`, `stopping` or (warm standby) `standby`. */
export type PidFile = { pid: number; port: number; status: string }

export type Postmaster = PidFile & { identity: Identity }

/** No system counts its processes this far. */
const NOBODY = 2_147_483_646

/** The postmaster that runs on this cluster (a real path), known to be no stranger; undefined when none does. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = await readPidFile(cluster)
  const identity = file && (await identify(Math.abs(file.pid)))
  if (file === undefined || identity === undefined) return undefined
  if (!(await isPostmasterOf(identity.pid, cluster))) return undefined
  if (file.pid > 0) return { ...file, identity }
  throw new Error(`A PostgreSQL in single-user mode (process ${identity.pid}) uses ${cluster}; end it first.`)
}

/** Waits until a server in single-user mode, which a killed start left at its work, has ended; `limitMs` at most. */
export async function waitForSingleUser(cluster: string, limitMs: number): Promise<void> {
  for (const until = Date.now() + limitMs; Date.now() < until; await sleep(50)) {
    const { pid } = (await readPidFile(cluster)) ?? { pid: 0 }
    if (pid >= 0 || !(await isPostmasterOf(-pid, cluster))) return
  }
}

/**
 * Takes a dead server's number out of postmaster.pid when it is in use again, or still by the zombie: a new
 * server would take that for the old one and refuse to start. The rest of the file stays, as by it the new
 * server notices backends that outlived the old one.
 */
export async function disown(cluster: string): Promise<void> {
  const file = await readPidFile(cluster)
  if (file === undefined || !isTaken(Math.abs(file.pid))) return
  const path = join(cluster, 'postmaster.pid')
  await writeFile(path, (await readFile(path, 'utf8')).replace(/^\s*-?\d+/, String(NOBODY)))
}

async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!pid) return undefined
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? 'starting').trim() }
}
