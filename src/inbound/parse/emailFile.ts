import { z } from 'zod'
import type { EmailFile } from '../message.js'

/** A text of a provider's post; empty for a value that is none. */
export const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')

/** Characters of a media type and of a content id that are read. */
const mostName = 1_000

/**
 * A file of an email as the contract has it (spec §2), and what else providers say of it. It may
 * have any shape: an unreadable one is named as not taken (decision 4.5).
 */
export const emailFile = z
  .unknown()
  .transform((value): EmailFile => {
    const file = (value ?? {}) as Record<string, unknown>
    const { filename, contentBase64, contentType, contentId, disposition, isOfAttached } = file
    return {
      filename: textOrEmpty(filename),
      contentBase64: textOrEmpty(contentBase64),
      type: textOrEmpty(contentType).slice(0, mostName).split(';')[0]!.trim().toLowerCase() || null,
      contentId: withoutBrackets(textOrEmpty(contentId).slice(0, mostName)) || null,
      isInline: textOrEmpty(disposition).trim().toLowerCase() === 'inline',
      isOfAttached: isOfAttached === true,
    }
  })
  .meta({
    type: 'object',
    properties: {
      filename: { type: 'string' },
      contentType: { type: 'string' },
      contentBase64: { type: 'string', contentEncoding: 'base64' },
      contentId: { type: 'string', description: 'By which the HTML shows the file.' },
      disposition: { type: 'string', enum: ['attachment', 'inline'] },
    },
  })

/**
 * The bytes of a file; `mostCharacters`: of its base64 that are decoded. A browser's program gives
 * a file as a `data:` URL, whose beginning is no base64.
 */
export function fileBytes(
  { contentBase64 }: Pick<EmailFile, 'contentBase64'>,
  mostCharacters = contentBase64.length,
): Buffer {
  const start = /^data:[^,]{0,200},/i.exec(contentBase64)?.[0].length ?? 0
  return Buffer.from(contentBase64.slice(start, start + mostCharacters), 'base64')
}

/** The files of the email itself, without those of emails that are attached to it. */
export function ownFiles<File extends Pick<EmailFile, 'isOfAttached'>>(files: readonly File[]): File[] {
  return files.filter(({ isOfAttached }) => !isOfAttached)
}

/** A forwarded email, also as a file that a mail program saved. */
export function isEmail({ type, filename }: Pick<EmailFile, 'type' | 'filename'>): boolean {
  return type === 'message/rfc822' || type === 'message/global' || /\.eml$/i.test(filename.trim())
}

/** A Content-ID stands between angle brackets in a header, and without them in HTML. */
export function withoutBrackets(id: string): string {
  return id.trim().replace(/^<|>$/g, '')
}

/** Content ids of an email's HTML that are looked at, and characters of it. */
const mostShown = 1_000
const mostHtml = 1_000_000

/**
 * The files in the order in which they may become photos: attachments before what the HTML shows
 * inline (decision 9.5). A signature's logos must not push out the photo of a leak.
 */
export function inOrder(files: readonly EmailFile[], html: string): EmailFile[] {
  const shownIds = shownContentIds(html)
  const marked = files.map((file) => ({ ...file, isInline: file.isInline || isShown(file, shownIds) }))
  return [...marked.filter(({ isInline }) => !isInline), ...marked.filter(({ isInline }) => isInline)]
}

/** The content ids that an email's HTML shows. */
export function shownContentIds(html: string): ReadonlySet<string> {
  const matches = html.slice(0, mostHtml).matchAll(/\bcid:([^\s"'<>)\\]{1,1000})/gi)
  return new Set([...matches].slice(0, mostShown).map(([, id]) => decodeContentId(id!)))
}

/** Percent-coded by some programs; `&amp;` as in any HTML. */
function decodeContentId(id: string): string {
  const text = id.replaceAll('&amp;', '&')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** By its content id or, where a provider does not name it, by its name: `image001.png@01DB…`. */
export function isShown(
  { contentId, filename }: Pick<EmailFile, 'contentId' | 'filename'>,
  shownIds: ReadonlySet<string>,
): boolean {
  if (contentId) return shownIds.has(contentId)
  if (filename === '') return false
  return shownIds.has(filename) || [...shownIds].some((id) => id.startsWith(`${filename}@`))
}
