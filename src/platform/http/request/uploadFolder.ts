import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { StoreUnavailable } from '../../photos/store.js'
import { config } from '../../process/config.js'
import { Problem } from '../problem.js'

/**
 * Runs `act` with a folder for what is uploaded in one request, which is removed as a whole after
 * it. `onNoFolder` gets the error of a folder that cannot be made; `act` runs unless it throws.
 */
export async function withUploadFolder(
  act: (folder: string) => Promise<void>,
  onNoFolder: (error: Error) => void,
): Promise<void> {
  const folder = path.join(config.uploadDir, randomUUID())
  let isMade = true
  try {
    // Not recursive at first: that says ENOENT of a read-only disk.
    await mkdir(folder, { mode: 0o700 })
      .catch((error) => {
        if (error.code !== 'ENOENT') throw error
        return mkdir(folder, { recursive: true, mode: 0o700 })
      })
      .catch((error) => {
        isMade = false
        onNoFolder(error)
      })
    await act(folder)
  } finally {
    // A file created during the removal makes it fail: retry.
    if (isMade) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The disk of uploads is full, read-only or broken. */
export function uploadsAway(cause: unknown): Problem {
  return new Problem(503, 'photo_store_away', {
    headers: { 'Retry-After': '30' },
    cause: new StoreUnavailable({ cause }),
  })
}
