import { decodeBytes } from '../../vocabulary/characterSets.js'
import { decodeWords, percentBytes } from '../../vocabulary/email/encodedWords.js'

/** Characters of a header that are read. */
const mostHeader = 10_000

const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs

/** A piece of a long value (RFC 2231, 3); `isCoded`: as `charset'language'percent-coded`. */
type Section = { at: number; text: string; isCoded: boolean }

/**
 * The parameters of a MIME header such as Content-Disposition, names in lower case, values decoded:
 * quoted, in pieces and character sets of RFC 2231, or as encoded words. The first of a name
 * counts.
 */
export function headerParameters(header: string): Map<string, string> {
  const plain = new Map<string, string>()
  const long = new Map<string, Section[]>()
  for (const [, full = '', quoted, bare] of header.slice(0, mostHeader).matchAll(parameter)) {
    const text = quoted?.replace(/\\(["\\])/g, '$1') ?? bare?.trim() ?? ''
    const [, name = '', at, star] = /^([^*]+)(?:\*(\d{1,3}))?(\*)?$/.exec(full.toLowerCase()) ?? []
    if (name === '') continue
    const isCoded = star !== undefined
    if (at !== undefined || isCoded)
      long.set(name, [...(long.get(name) ?? []), { at: Number(at ?? 0), text, isCoded }])
    else if (!plain.has(name)) plain.set(name, decodeWords(text))
  }
  // A program that writes both forms means the plain one for those that cannot read the long one.
  for (const [name, sections] of long) plain.set(name, joinSections(sections))
  return plain
}

/** Coded pieces beside each other are decoded as one, because a letter may be cut in two. */
function joinSections(sections: readonly Section[]): string {
  const sorted = [...sections].sort((one, other) => one.at - other.at)
  const [, label = '', rest] = /^([^']*)'[^']*'(.*)$/s.exec(sorted[0]?.isCoded ? sorted[0].text : '') ?? []
  let text = ''
  let bytes: Buffer[] = []
  const close = () => {
    text += decodeBytes(Buffer.concat(bytes), label || null)
    bytes = []
  }
  for (const [i, section] of sorted.entries()) {
    const content = i === 0 ? (rest ?? section.text) : section.text
    if (section.isCoded) bytes.push(percentBytes(Buffer.from(content).toString('latin1'), '%'))
    else {
      close()
      text += content
    }
  }
  close()
  return text
}
