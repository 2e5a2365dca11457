import { isUtf8 } from 'node:buffer'
import PostalMime from 'postal-mime'
import { decodeBytes } from '../../vocabulary/characterSets.js'
import type { AttachedEmail } from '../message.js'
import { attachedEmailOf, isDeliveryReport, mostAttached } from './attachedEmail.js'
import { isEmail, isShown, shownContentIds, withoutBrackets } from './emailFile.js'
import { headerParameters } from './headerParameters.js'

/** What is used of postal-mime's class for a part of an email, which it does not export. */
type Part = {
  state: 'header' | 'body' | 'finished'
  content: ArrayBuffer | null
  contentType: { parsed: { params: Record<string, string | undefined> } }
  feed(line: Uint8Array): void
  decodeFlowedText(text: string, delSp: boolean): string
  getTextContent(): string
  parseStructuredHeader(header: string): { params: Record<string, string> }
}

/**
 * postal-mime decodes with the platform's TextDecoder, and takes no other: every place where it
 * makes text of bytes is led to our decoder here (decision 9.2). Its version is fixed, and the test
 * of the character sets goes through all of these places.
 */
function useOurDecoder(part: Part): void {
  const { feed, parseStructuredHeader } = part
  part.getTextContent = function (this: Part) {
    if (!this.content) return ''
    const { charset, format = '', delsp = '' } = this.contentType.parsed.params
    const text = decodeBytes(new Uint8Array(this.content), charset ?? null)
    return /^flowed$/i.test(format) ? this.decodeFlowedText(text, /^yes$/i.test(delsp)) : text
  }
  // A header that is not ASCII has no label.
  part.feed = function (this: Part, line) {
    const isForeign = this.state === 'header' && !isUtf8(line)
    feed.call(this, isForeign ? new TextEncoder().encode(decodeBytes(line)) : line)
  }
  part.parseStructuredHeader = function (this: Part, header) {
    const parsed = parseStructuredHeader.call(this, header)
    const ours = headerParameters(header)
    for (const name of ['filename', 'name']) {
      const value = ours.get(name)
      if (value !== undefined) parsed.params[name] = value
    }
    return parsed
  }
}

useOurDecoder(Object.getPrototypeOf((new PostalMime() as unknown as { root: Part }).root))

/** How deep attached emails are opened, and their bytes in all. */
const mostDepth = 5
const mostAttachedBytes = 100 * 1024 * 1024

type Parsed = Awaited<ReturnType<typeof PostalMime.parse>>
type Collected = { attachments: object[]; attachedEmails: AttachedEmail[]; emails: number; bytes: number }

/**
 * A whole email (RFC 5322) in the shape of the contract (spec §2); sender, subject and Message-ID
 * stand in its headers. `attachedEmails`: emails attached to it and to each other, whose files
 * follow its own. Throws if nested too deeply.
 */
export async function parseWholeEmail(raw: Uint8Array): Promise<Record<string, unknown>> {
  const email = await parseEmail(raw)
  const collected: Collected = { attachments: [], attachedEmails: [], emails: 0, bytes: 0 }
  await openFiles(email, collected, 1)
  return {
    text: email.text ?? '',
    html: email.html ?? '',
    // Names as they were written: a blank before the colon makes another name.
    headers: email.headers.map(({ key, value }, i) => {
      const line = email.headerLines[i]?.line ?? ''
      return { name: line.includes(':') ? line.slice(0, line.indexOf(':')) : key, value }
    }),
    attachments: collected.attachments,
    attachedEmails: collected.attachedEmails,
  }
}

/** Attached emails are files here, however they were attached: we open them ourselves. */
function parseEmail(raw: Uint8Array): Promise<Parsed> {
  return PostalMime.parse(raw, { maxNestingDepth: 50, forceRfc822Attachments: true })
}

/** Lists the files of an email, and then those of the emails among them. */
async function openFiles(email: Parsed, collected: Collected, depth: number): Promise<void> {
  const inner: Parsed[] = []
  const shownIds = shownContentIds(email.html ?? '')
  const isReport = email.headers.some(({ key, value }) => key === 'content-type' && isDeliveryReport(value))
  for (const { filename, mimeType, contentId, disposition, content } of email.attachments) {
    const bytes = Buffer.from(content as ArrayBuffer)
    const file = { filename: filename ?? '', type: mimeType, contentId: withoutBrackets(contentId ?? '') }
    const mayOpen = isEmail(file) && !isReport
    const attached = mayOpen ? await openEmail(bytes, collected, depth) : null
    if (attached) inner.push(attached)
    else
      collected.attachments.push({
        filename: file.filename,
        contentType: mimeType,
        contentId: file.contentId,
        disposition: isShown(file, shownIds) ? 'inline' : (disposition ?? 'attachment'),
        // Nobody tries again to open an email that could not be opened here.
        contentBase64: mayOpen ? '' : bytes.toString('base64'),
        isOfAttached: depth > 1,
      })
  }
  for (const each of inner) await openFiles(each, collected, depth + 1)
}

/** Null for what is no email, or one too many: it is a file then, and is named as not taken. */
async function openEmail(raw: Buffer, collected: Collected, depth: number): Promise<Parsed | null> {
  const isTooMuch = collected.emails >= mostAttached || collected.bytes + raw.length > mostAttachedBytes
  if (depth > mostDepth || isTooMuch) return null
  collected.emails += 1
  collected.bytes += raw.length
  const email = await parseEmail(raw).catch(() => null)
  if (email === null) return null
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value
  const attached = attachedEmailOf(header, { text: email.text ?? '', html: email.html ?? '' })
  if (attached === null) return null
  collected.attachedEmails.push(attached)
  return email
}
