import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { config } from '../ops/config.js'
import { removeIfPossible } from '../photos/removal.js'

/** Milliseconds; as long as the outbox remembers what it sent. */
const keptFor = 30 * 24 * 3_600_000

/** Names that `mailer` gives; the folder may be somebody's own, with other files in it. */
const ours = /^\.?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-.*\.(eml|html)(\.\d+)?$/

/**
 * Deletes mails that were written into the outbox folder more than 30 days ago, where it can.
 * Returns how many files.
 */
export async function removeOldMails(folder = config.mail.outboxDir): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names.filter((each) => ours.test(each))) {
    const file = path.join(folder, name)
    const written = await stat(file).catch(() => null)
    if (!written?.isFile() || Date.now() - written.mtimeMs < keptFor) continue
    if (await removeIfPossible(file)) removed++
  }
  return removed
}
