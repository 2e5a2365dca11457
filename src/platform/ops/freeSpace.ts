import { statfs } from 'node:fs/promises'

/** Bytes that are free for us on the disk of a folder; NaN where no one can tell. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Number.NaN
  }
}
