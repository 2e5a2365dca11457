import { sealedName } from '../../vocabulary/email/messageName.js'
import type { ReadEmail } from '../message.js'
import { fileBytes } from './emailFile.js'

/** Characters of a delivery report, and of each file attached to it, that are read. */
const mostReport = 200_000
const mostFiles = 5
const mostNames = 50
/** RFC 3464 and 3463: refused for good, not merely late. */
const refusedForGood = /\bAction:\s*failed\b|\b5\.\d\.\d{1,3}\b|\b55[0-4]\b/i
const isLate = /\bAction:\s*delayed\b/i

/**
 * The name of the email of ours that a delivery report says was refused for good; null when it
 * names none. Only its receiver and the servers on the way know that name.
 */
export function bouncedMessageIn(
  report: Pick<ReadEmail, 'text' | 'html' | 'files' | 'attachedEmails'>,
  { key, host }: { key: Buffer; host: string },
): string | null {
  const files = report.files.slice(0, mostFiles).map((file) => fileBytes(file, mostReport).toString('latin1'))
  const returned = report.attachedEmails.map(({ messageId }) => messageId ?? '')
  const all = [report.text, report.html, ...returned, ...files]
    .map((part) => part.slice(0, mostReport))
    .join('\n')
  if (!refusedForGood.test(all) || isLate.test(all)) return null
  for (const [id] of [...all.matchAll(/(?<![\w-])[\w-]{27}@[\w.-]+/g)].slice(0, mostNames)) {
    const name = sealedName(key, id, host)
    if (name !== null) return name
  }
  return null
}
