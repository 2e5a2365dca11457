import { createHash } from 'node:crypto'
import { ArchiveDamaged, type ArchiveEntry } from './archive.js'
import { checksumsEntry } from './entries.js'

/** A line for an entry, as `sha256sum -c` reads it. */
export const checksumLine = ({ name, bytes }: ArchiveEntry) =>
  `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`

/** Throws for the first entry whose line is not the one in the list. */
export function requireChecksums(lines: readonly string[], list: Buffer): void {
  const text = list.toString('latin1')
  let from = 0
  for (const line of lines) {
    if (!text.startsWith(line, from)) throw damagedEntry(line.slice(line.indexOf('  ')).trim())
    from += line.length
  }
  if (from !== text.length) throw damagedEntry(checksumsEntry)
}

export const damagedEntry = (name: string) =>
  new ArchiveDamaged(`The archive is damaged: ${name} is not as it was written.`)
