import { createHash } from 'node:crypto'
import type { ArchiveEntry } from './archive.js'
import { checksumLine, damagedEntry } from './checksums.js'
import { checksumsEntry, endingEntry, jsonOrNull } from './entries.js'

/** Of archives that version 1.0.0 made. */
export const firstFormat = 1

/** One of its lists of checksums, which stand among the entries they are of. */
const isList = (entry: string) => /^sums\/\d{6,}\.sha256$/.test(entry)

/**
 * The entries of an archive of version 1.0.0 as the present one writes them: it has its checksums
 * in several lists, and one checksum of the lists and of what the ending says in its ending.
 */
export async function* inPresentFormat(archive: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  const lists: Buffer[] = []
  for await (const entry of archive)
    if (isList(entry.name)) lists.push(entry.bytes)
    else if (entry.name === endingEntry) {
      requireChecksumOfLists(entry, lists)
      yield entry
      const checksums = Buffer.concat([...lists, Buffer.from(checksumLine(entry))])
      yield { name: checksumsEntry, bytes: checksums }
    } else yield entry
}

function requireChecksumOfLists({ name, bytes }: ArchiveEntry, lists: readonly Buffer[]): void {
  const { rows, sequences, photos, sums } = Object(jsonOrNull(bytes)) as Record<string, unknown>
  const hash = createHash('sha256')
  for (const list of lists) hash.update(list)
  hash.update(JSON.stringify([rows, sequences, photos]))
  if (hash.digest('hex') !== sums) throw damagedEntry(name)
}
