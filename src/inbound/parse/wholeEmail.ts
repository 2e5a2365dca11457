import { isUtf8 } from 'node:buffer'
import PostalMime from 'postal-mime'
import { decodeBytes } from '../../vocabulary/characterSets.js'
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

/**
 * A whole email (RFC 5322) in the shape of the contract (spec §2); sender, subject and Message-ID
 * stand in its headers. Throws if nested too deeply.
 */
export async function wholeEmail(raw: Uint8Array): Promise<Record<string, unknown>> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64', maxNestingDepth: 50 })
  return {
    text: mail.text ?? '',
    html: mail.html ?? '',
    // Names as they were written: a blank before the colon makes another name.
    headers: mail.headers.map(({ key, value }, i) => {
      const line = mail.headerLines[i]?.line ?? ''
      return { name: line.includes(':') ? line.slice(0, line.indexOf(':')) : key, value }
    }),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename: filename ?? '',
      contentType: mimeType,
      contentBase64: content,
    })),
  }
}
