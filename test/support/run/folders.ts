import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * A new folder among the files of this run, which go when it ends. Everyone may pass through:
 * PostgreSQL runs as another user where this one is root.
 */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'caretaker-'))
  chmodSync(folder, 0o711)
  return folder
}
