import { rm } from 'node:fs/promises'
import { log } from '../../log.js'

let said = false

/** Deletes a file or folder, also one that is gone. False when it cannot be deleted, which the log says once. */
export async function removeIfPossible(file: string): Promise<boolean> {
  try {
    await rm(file, { force: true, recursive: true })
    return true
  } catch (error) {
    if (!said) log.warn({ error, file }, 'an old file cannot be deleted')
    said = true
    return false
  }
}
