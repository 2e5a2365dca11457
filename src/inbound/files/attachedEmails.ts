import { z } from 'zod'
import type { AttachedEmail, ReadEmail } from '../message.js'
import { readLargePost } from '../parse/largePost.js'
import { emailFile, fileBytes, inOrder, isEmail, mostAttached } from './emailFile.js'

const text = z.string().catch('')

/** An email that is attached to another, as `parse/wholeEmail.ts` gives it. */
export const attachedEmail = z.object({
  from: text,
  subject: text,
  text,
  html: text,
  messageId: z.string().nullable().catch(null),
})

const Opened = z.object({
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
  const isReport = /^\s*multipart\/report\b/i.test(email.headers?.get('content-type')?.[0] ?? '')
  if (isReport || !email.files.some(isEmail)) return email
  const attachedEmails = [...email.attachedEmails]
  const files: ReadEmail['files'][number][] = []
  const inner: typeof files = []
  for (const file of email.files) {
    const isOpened = isEmail(file) && file.contentBase64 !== '' && attachedEmails.length < mostAttached
    const opened = isOpened ? await open(file) : null
    if (!opened) {
      files.push(file)
      continue
    }
    attachedEmails.push(...opened.emails)
    inner.push(...opened.files)
  }
  return {
    ...email,
    files: inOrder([...files, ...inner], ''),
    attachedEmails: attachedEmails.slice(0, mostAttached),
  }
}

async function open(file: ReadEmail['files'][number]) {
  let read: unknown
  try {
    read = await readLargePost(new Uint8Array(fileBytes(file)), 'message/rfc822')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const { headers, text, html, attachments, attachedEmails } = Opened.parse(read)
  const header = (name: string) => headers.find((each) => each.name.toLowerCase() === name)?.value ?? ''
  const [from, subject] = [header('from'), header('subject')]
  if (from === '' && subject === '') return null
  const email: AttachedEmail = { from, subject, text, html, messageId: header('message-id') || null }
  const files = attachments.map((each) => ({ ...each, isOfAttached: true }))
  return { emails: [email, ...attachedEmails], files }
}
