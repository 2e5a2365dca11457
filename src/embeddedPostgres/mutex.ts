import { constants, open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** libuv's UV_FS_O_EXLOCK, which Node does not name: a file opened so is open for one process alone. */
const ALONE = process.platform === 'win32' ? 0x10000000 : 0x20 | constants.O_NONBLOCK
const HELD = ['EADDRINUSE', 'EAGAIN', 'EBUSY']

type Release = () => Promise<void>

/**
 * Runs `work` while nobody else on this machine, in this or another process, does so with the same existing folder. The
 * system itself lets go of the lock when its holder dies. Throws after `waitMs`. Decision 5.2.
 */
export async function withMutex<T>(folder: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const release = await acquire(folder, waitMs)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function acquire(folder: string, waitMs: number): Promise<Release> {
  const lock = process.platform === 'linux' ? lockByName : lockByFile
  for (const until = Date.now() + waitMs; ; await sleep(25)) {
    try {
      return await lock(folder)
    } catch (error) {
      if (!HELD.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    if (Date.now() > until)
      throw new Error(`Waited ${waitMs / 1000} s for another process to start the private PostgreSQL.`)
  }
}

/** Linux: a socket name without a file, of which the kernel gives out one at a time. */
async function lockByName(folder: string): Promise<Release> {
  const { dev, ino } = await stat(folder)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ path: `\0caretaker-${dev}-${ino}`, exclusive: true }, resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** macOS, BSD and Windows: a file that is opened for one process alone. */
async function lockByFile(folder: string): Promise<Release> {
  const file = await open(join(folder, 'lock'), constants.O_CREAT | ALONE, 0o600)
  return () => file.close()
}
