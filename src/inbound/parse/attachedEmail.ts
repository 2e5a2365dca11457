import { z } from 'zod'
import type { AttachedEmail } from '../message.js'

/** Attached emails that are read. A hostile one takes half a second. */
export const mostAttached = 10

const text = z.string().catch('')

/** An email that is attached to another, as `parse/wholeEmail.ts` gives it. */
export const attachedEmail = z.object({
  from: text,
  subject: text,
  text,
  html: text,
  messageId: z.string().nullable().catch(null),
})

/**
 * Whether an email with this Content-Type is a delivery report: the email attached to it is
 * evidence of what came back, not something to read.
 */
export function isDeliveryReport(contentType: string | undefined): boolean {
  return /^\s*multipart\/report\b/i.test(contentType ?? '')
}

/** `header`: the value of a header by its lower-case name. Null for what is no email after all. */
export function attachedEmailOf(
  header: (name: string) => string | undefined,
  { text, html }: { text: string; html: string },
): AttachedEmail | null {
  const from = header('from') ?? ''
  const subject = header('subject') ?? ''
  if (from === '' && subject === '') return null
  return { from, subject, text, html, messageId: header('message-id') || null }
}
