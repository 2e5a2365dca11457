import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { DeliveryOutcome, Email } from '../../vocabulary/email/delivery.js'
import { config } from '../process/config.js'
import { removeStaleFiles } from '../process/files.js'
import { type EmailWithAttachments, messageOf, noFileOrUrlAccess } from './message.js'

/** Milliseconds that a written email stays; as long as the outbox remembers what it sent. */
const lifetime = 30 * 24 * 3_600_000

/**
 * Writes an email as the bytes that a mail server would get, and its page. Both files appear
 * complete or not at all, the page last. Writing an email again replaces them.
 */
export async function writeToEmailFolder(
  folder: string,
  email: EmailWithAttachments,
): Promise<DeliveryOutcome> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...noFileOrUrlAccess,
  })
  try {
    const { message } = await transport.sendMail(messageOf(email))
    const stem = path.join(folder, stemOf(email))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(`${stem}.eml`, message as Buffer)
    await writeWhole(`${stem}.html`, `${recipientComment(email)}\n${email.html}`)
    return { as: 'sent' }
  } catch (error) {
    return { as: 'retry', why: `outbox folder ${(error as NodeJS.ErrnoException).code ?? 'error'}` }
  }
}

/**
 * The names that `stemOf` and `writeWhole` give, drafts included; the folder may be someone's own,
 * with other files in it.
 */
const writtenNames = /^\.?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-.*\.(eml|html)(\.\d+)?$/

/** Time and id: `2026-11-21T07-00-00Z-42.abc`. */
function stemOf({ date, messageId }: Email): string {
  const when = date.toISOString().slice(0, 19).replaceAll(':', '-')
  const which = messageId.replace(/^<|@.*$/g, '').replace(/[^\w.-]/g, '_')
  return `${when}Z-${which}`
}

async function writeWhole(file: string, content: Buffer | string): Promise<void> {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`)
  try {
    await writeFile(draft, content, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A name or an address must not be able to close the HTML comment. */
function recipientComment({ to: { name, address } }: Email): string {
  const safe = `To: ${name}, ${address}`
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('--', '&#45;&#45;')
  return `<!-- ${safe} -->`
}

/** Deletes emails in the outbox folder that are older than 30 days. Returns how many files. */
export function removeOldEmails(folder = config.email.outboxDir): Promise<number> {
  return removeStaleFiles(folder, lifetime, writtenNames)
}
