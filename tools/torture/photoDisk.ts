import { execFile } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../../test/support/run/eventually.js'

const run = promisify(execFile)

/** The volume photos are on, which may be full or read-only. */
export type PhotoDisk = Exclude<Awaited<ReturnType<typeof photoDisk>>, null>

const size = '96m'

/**
 * Puts a photo folder on a small volume of its own, in memory. Null where this user may not mount
 * one.
 */
export async function photoDisk(folder: string) {
  mkdirSync(folder, { recursive: true })
  const copy = `${folder}-before`
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  } catch {
    return null
  } finally {
    cpSync(copy, folder, { recursive: true, preserveTimestamps: true })
    rmSync(copy, { recursive: true, force: true })
  }
  const ballast = path.join(folder, '.ballast')
  return {
    fill: () => fillUp(ballast),
    free: () => rmSync(ballast, { force: true }),
    /** Not as long as a photo is being written there. */
    readOnly: (isReadOnly: boolean) =>
      eventually(() => run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder])),
    /** The photos stay where they are; the volume is gone. */
    end: async () => {
      cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
      await run('umount', [folder])
      cpSync(copy, folder, { recursive: true, preserveTimestamps: true })
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

/** Writes until nothing more fits. */
function fillUp(file: string): void {
  const open = openSync(file, 'w')
  try {
    for (const block of [Buffer.alloc(2 ** 20), Buffer.alloc(1)]) for (;;) if (!fits(open, block)) break
  } finally {
    closeSync(open)
  }
}

function fits(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return false
  }
}
