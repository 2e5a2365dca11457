import { z } from 'zod'
import type { AttachedEmail, EmailFile, ReadEmail } from '../message.js'
import { attachedEmail, attachedEmailOf, isDeliveryReport, mostAttached } from './attachedEmail.js'
import { emailFile, fileBytes, inOrder, isEmail } from './emailFile.js'
import { readLargePost } from './largePost.js'

const text = z.string().catch('')

/** What `parse/wholeEmail.ts` makes of an email. */
const ParsedEmail = z.object({
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  text,
  html: text,
  attachments: z.array(emailFile),
  attachedEmails: z.array(attachedEmail),
})

/**
 * Opens the emails among the files of a provider's post, as `parse/wholeEmail.ts` does of a whole
 * email: their files follow its own. What cannot be opened stays a file.
 */
export async function openAttachedEmails(email: ReadEmail): Promise<ReadEmail> {
  if (isDeliveryReport(email.headers?.get('content-type')?.[0])) return email
  if (!email.files.some(isEmail)) return email
  const attachedEmails = [...email.attachedEmails]
  const files: EmailFile[] = []
  const innerFiles: EmailFile[] = []
  for (const file of email.files) {
    const mayOpen = isEmail(file) && file.contentBase64 !== '' && attachedEmails.length < mostAttached
    const opened = mayOpen ? await open(file) : null
    if (!opened) {
      files.push(file)
      continue
    }
    attachedEmails.push(...opened.emails)
    innerFiles.push(...opened.files)
  }
  return {
    ...email,
    files: inOrder([...files, ...innerFiles], ''),
    attachedEmails: attachedEmails.slice(0, mostAttached),
  }
}

/** The email in a file and those attached to it, with their files; null for what is none. */
async function open(file: EmailFile): Promise<{ emails: AttachedEmail[]; files: EmailFile[] } | null> {
  let read: unknown
  try {
    read = await readLargePost(new Uint8Array(fileBytes(file)), 'message/rfc822')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const { headers, text, html, attachments, attachedEmails } = ParsedEmail.parse(read)
  const header = (name: string) => headers.find((each) => each.name.toLowerCase() === name)?.value
  const email = attachedEmailOf(header, { text, html })
  if (email === null) return null
  const files = attachments.map((each) => ({ ...each, isOfAttached: true }))
  return { emails: [email, ...attachedEmails], files }
}
