import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'

const memory = '/dev/shm'
/**
 * Bytes there must be left, in the folder and in the machine, for a run to
 * keep its files in memory.
 */
const room = 3 * 2 ** 30

/**
 * Makes the folder of this run, in memory where the system offers enough of it: a database is
 * copied for each test file, which costs twenty times as much on a disk. What runs that were killed
 * have left there is removed.
 */
export function temporaryFolder(): string {
  const parent = hasRoom() ? memory : tmpdir()
  const start = 'caretaker-run-'
  for (const name of readdirSync(parent).filter((each) => each.startsWith(start)))
    if (!isAlive(Number(name.slice(start.length).split('-')[0]))) removeIfOurs(path.join(parent, name))
  const folder = mkdtempSync(path.join(parent, `${start}${process.pid}-`))
  // As open as the system's own: PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o1777)
  return folder
}

/** Programs must be allowed to run there: tests copy some. */
function hasRoom(): boolean {
  try {
    const [, options = 'noexec'] = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
    const { bavail, bsize } = statfsSync(memory)
    return !options.split(',').includes('noexec') && bavail * bsize > room && freemem() > room
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function removeIfOurs(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // It is another user's.
  }
}
