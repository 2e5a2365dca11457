import { constants, open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** libuv's UV_FS_O_EXLOCK, missing from Node's constants: opens a file for one process only. */
const ALONE = process.platform === 'win32' ? 0x10000000 : 0x20 | constants.O_NONBLOCK
const HELD = ['EADDRINUSE', 'EAGAIN', 'EBUSY']

type Release = () => Promise<void>

/**
 * Runs `work` while no other call on this machine, in any process, does so with the same existing folder. The
 * system frees the lock when its holder dies. Throws after `waitMs`. Decision 5.2.
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

/** Linux: an abstract socket name, which the kernel gives to one process at a time. */
async function lockByName(folder: string): Promise<Release> {
  const { dev, ino } = await stat(folder)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ path: `\0caretaker-${dev}-${ino}`, exclusive: true }, resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** macOS, BSD and Windows: a file opened for one process only. */
async function lockByFile(folder: string): Promise<Release> {
  const file = await open(join(folder, 'lock'), constants.O_CREAT | ALONE, 0o600)
  return () => file.close()
}
