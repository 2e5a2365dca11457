import { decodeBytes } from '../characterSets.js'

/** RFC 2047, with the language of RFC 2231: `=?utf-8*en?Q?…?=`. */
const encodedWord = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([BQ])\?([^?]*)\?=/gi

/**
 * The header with its encoded words decoded. Words beside each other that name the same character
 * set are joined as bytes first, because programs cut a letter in two.
 */
export function decodeWords(header: string): string {
  let text = ''
  let end = 0
  let open: { label: string; bytes: Buffer[] } | null = null
  const close = () => {
    if (open) text += decodeBytes(Buffer.concat(open.bytes), open.label)
    open = null
  }
  for (const { 0: word, 1: label = '', 2: encoding = '', 3: content = '', index } of header.matchAll(
    encodedWord,
  )) {
    const between = header.slice(end, index)
    const follows: { label: string; bytes: Buffer[] } | null = open
    const bytes = /q/i.test(encoding) ? quotedBytes(content) : Buffer.from(content, 'base64')
    const isNext = follows !== null && between.trim() === ''
    if (isNext && follows.label === label.toLowerCase()) follows.bytes.push(bytes)
    else {
      close()
      // Blanks between two encoded words only separate them.
      text += isNext ? '' : between
      open = { label: label.toLowerCase(), bytes: [bytes] }
    }
    end = index + word.length
  }
  close()
  return text + header.slice(end)
}

function quotedBytes(content: string): Buffer {
  // Letters outside ASCII are not allowed here; written all the same, they are UTF-8.
  const bytes = Buffer.from(content.replaceAll('_', ' ')).toString('latin1')
  return percentBytes(bytes, '=')
}

/** The bytes of a Latin-1 text in which `sign` and two digits stand for a byte: `=E9`, `%E9`. */
export function percentBytes(text: string, sign: '=' | '%'): Buffer {
  const coded = sign === '=' ? /=([0-9a-f]{2})/gi : /%([0-9a-f]{2})/gi
  const plain = text.replace(coded, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return Buffer.from(plain, 'latin1')
}
